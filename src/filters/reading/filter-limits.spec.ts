import { describe, expect, it } from '@jest/globals';
import { assertWithinLimits, filterLimits, isRegex } from './filter-limits.js';
import { type Filter, type PropertyFilter, allOf } from './filter.js';

const leaf = (more: Partial<PropertyFilter> = {}): PropertyFilter => ({
  ...{ kind: 'property', source: 'event', key: 'a', operator: 'exact', values: ['b'] },
  ...more,
});
const cohort: Filter = { kind: 'cohort', cohortId: 1, negated: false };
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const values = (count: number) => times(count, 'x');

const refusal = (...parts: readonly Filter[]): string | null => {
  try {
    assertWithinLimits(allOf(...parts), 'properties', 'The cohort');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the filters of a question together', () => {
  it.each([
    ['filters', times(500, leaf()), leaf()],
    ['filters, of which some name cohorts', times(500, cohort), cohort],
    ['values', [leaf({ values: values(4_999) })], leaf({ values: values(2) })],
    ['values, of which some are cohorts', [leaf({ values: values(5_000) })], cohort],
    ['values with other operators', [leaf({ operator: 'gt', values: values(1_000) })], leaf({ operator: 'gt' })],
    [
      'moments that an event may have',
      [leaf({ operator: 'gt', values: values(1_000) })],
      leaf({ source: 'event_metadata', key: 'timestamp' }),
    ],
    ['characters', [leaf({ key: 'k'.repeat(1_000), values: ['v'.repeat(499_000)] })], leaf({ key: 'a', values: [] })],
    ['patterns', [leaf({ operator: 'regex', values: values(200) })], leaf({ operator: 'not_regex' })],
  ])('have as many %s as the limit, and no more', (_, most, oneMore) => {
    expect(refusal(...most)).toBeNull();
    expect(refusal(...most, oneMore)).toMatch(/^The cohort must have at most [\d,]+ /);
  });

  it('may look up many values in lists, also names and distinct ids of events', () => {
    const lookUps = (['event', 'person', 'event_metadata'] as const).map((source) =>
      leaf({ source, key: 'distinct_id', operator: 'is_not', values: values(1_500) }),
    );
    expect(refusal(...lookUps)).toBeNull();
    expect(refusal(leaf({ key: 'timestamp', values: values(1_500) }))).toBeNull();
  });

  it('are refused with their field and the limit', () => {
    const many = allOf(...times(filterLimits.filters + 1, leaf()));
    expect(() => assertWithinLimits(many, 'properties')).toThrow(
      expect.objectContaining({
        attr: 'properties',
        message: expect.stringMatching(/^The question must have at most 500/),
      }),
    );
  });
});

describe('a pattern', () => {
  it('is the value of regex and not_regex', () => {
    const operators = ['exact', 'icontains', 'regex', 'not_regex', 'gt'] as const;
    expect(operators.map((operator) => isRegex(leaf({ operator })))).toEqual([false, false, true, true, false]);
  });
});
