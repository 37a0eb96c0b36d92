import { describe, expect, it } from '@jest/globals';
import { Problem } from '../common/errors/problem.js';
import { everything, isEverything, leavesOf } from './filter.js';
import { parseFilters, type FilterOptions } from './parse.js';
import { keyAndOperator } from './leaf.js';
import { testAccountFilters } from './test-account-filters.js';

const anywhere: FilterOptions = { defaultType: 'event', allowed: ['event', 'person', 'cohort', 'event_metadata'] };
const ofPersons: FilterOptions = { defaultType: 'person', allowed: ['person', 'cohort'] };

const read = (input: unknown, options = anywhere) => parseFilters(input, 'properties', options);
const refusal = (input: unknown, options = anywhere): readonly (string | null)[] => {
  try {
    read(input, options);
  } catch (error) {
    if (error instanceof Problem) return [error.attr, error.code, error.detail];
    throw error;
  }
  return ['nothing was refused'];
};

const plan = { key: 'plan', value: 'pro' };
const nested = (levels: number): unknown =>
  levels === 0 ? { type: 'AND', values: [] } : { type: 'OR', values: [nested(levels - 1)] };

describe('a filter', () => {
  it.each([[undefined], [null], [''], ['  '], ['[]'], ['{}'], [[]], [{}], [{ type: 'and', values: [] }], ['null']])(
    'is none for %j',
    (input) => expect(isEverything(read(input))).toBe(true),
  );

  it('has type, operator and list by default', () => {
    const exact = { kind: 'property', key: 'plan', operator: 'exact', values: ['pro'], at: 'properties.0' };
    expect(read([plan])).toEqual({ kind: 'group', combine: 'AND', parts: [{ ...exact, source: 'event' }] });
    expect(leavesOf(read([plan], ofPersons))).toEqual([{ ...exact, source: 'person' }]);
    expect(read(JSON.stringify([plan]))).toEqual(read([plan]));
    expect(leavesOf(read(plan))).toEqual([{ ...exact, source: 'event', at: 'properties' }]);
  });

  it('has in and not_in as other names of exact and is_not', () => {
    const names = ['in', 'not_in', 'exact', 'is_not', null].map(
      (operator) => leavesOf(read([{ ...plan, operator }]))[0],
    );
    expect(names.map((leaf) => leaf?.kind === 'property' && leaf.operator)).toEqual([
      'exact',
      'is_not',
      'exact',
      'is_not',
      'exact',
    ]);
  });

  it('is a group in upper or lower case, also nested', () => {
    const inner = { type: 'Or', values: [plan, { key: 'age', operator: 'gt', value: 30 }] };
    const group = read({ type: 'and', values: [inner, { type: 'AND', values: [] }] });
    expect(group).toMatchObject({ combine: 'AND', parts: [{ combine: 'OR', parts: [{}, {}] }, { parts: [] }] });
    expect(leavesOf(group).map(({ at }) => at)).toEqual([
      'properties.values.0.values.0',
      'properties.values.0.values.1',
    ]);
  });

  it('may be an object whose keys end in operators', () => {
    const leaves = leavesOf(read({ plan: 'pro', age__gt: 30, a__b: 1, c__not_icontains: ['x', 'y'], d__in: [] }));
    expect(leaves.map((leaf) => leaf.kind === 'property' && [leaf.key, leaf.operator, leaf.values])).toEqual([
      ['plan', 'exact', ['pro']],
      ['age', 'gt', [30]],
      ['a__b', 'exact', [1]],
      ['c', 'not_icontains', ['x', 'y']],
      ['d', 'exact', []],
    ]);
  });

  it('may be an object with a property called key', () => {
    const named = (input: object) =>
      leavesOf(read(input)).map((leaf) => leaf.kind === 'property' && [leaf.key, leaf.values]);
    expect(named({ key: 'val' })).toEqual([['key', ['val']]]);
    expect(named({ key: 'val', other: 'x' })).toEqual([
      ['key', ['val']],
      ['other', ['x']],
    ]);
    expect(named({ key: 'plan', value: 'pro' })).toEqual([['plan', ['pro']]]);
  });

  it('names cohorts by all type names', () => {
    const cohort = (more: object) => leavesOf(read([{ type: 'cohort', key: 'id', value: 3, ...more }]));
    const inside = { kind: 'cohort', cohortId: 3, negated: false, at: 'properties.0' };
    const outside = { ...inside, negated: true };
    for (const type of ['cohort', 'static-cohort', 'dynamic-cohort', 'precalculated-cohort']) {
      expect(cohort({ type })).toEqual([inside]);
    }
    expect(cohort({ value: '3', operator: 'in', negation: false })).toEqual([inside]);
    expect(cohort({ operator: 'not_in' })).toEqual([outside]);
    expect(cohort({ at: 'event' })).toEqual([{ ...inside, atEvent: true }]);
    expect(cohort({ negation: true })).toEqual([outside]);
    expect(cohort({ operator: 'not_in', negation: true })).toEqual([inside]);
    expect(cohort({ value: [3, 4] })).toEqual([inside, { ...inside, cohortId: 4 }]);
  });

  it('may have the extra keys of clients', () => {
    const decoration = { label: 'Plan', cohort_name: 'x', group_type_index: null, property_type: 'String' };
    expect(read([{ ...plan, ...decoration }])).toEqual(read([plan]));
  });

  it('reads the test accounts of a project', () => {
    const project = { testAccountFilters: [plan, { ...plan, type: 'person' }] } as unknown as Parameters<
      typeof testAccountFilters
    >[0];
    expect(leavesOf(testAccountFilters(project)).map(({ at }) => at)).toEqual([
      'test_account_filters.0',
      'test_account_filters.1',
    ]);
    expect(testAccountFilters({ ...project, testAccountFilters: [] })).toEqual(everything);
  });
});

describe('an invalid filter', () => {
  const leaf = (more: object, path = '') => [[{ ...plan, ...more }], `properties.0${path}`] as const;
  it.each([
    ['{"key"', 'properties'],
    ['5', 'properties'],
    [true, 'properties'],
    [['x'], 'properties.0'],
    [[null], 'properties.0'],
    [[[plan]], 'properties.0'],
    [[plan, { type: 'AND', values: [] }], 'properties'],
    [{ type: 'AND', values: [plan, { type: 'OR', values: [plan] }] }, 'properties.values'],
    [{ type: 'XOR', values: [] }, 'properties.type'],
    [{ values: [] }, 'properties.type'],
    [{ type: 'AND' }, 'properties.values'],
    [{ type: 'AND', values: {} }, 'properties.values'],
    [{ type: 'AND', values: [], value: [] }, 'properties.value'],
    [{ type: 'AND', values: [{ ...plan, operater: 'gt' }] }, 'properties.values.0.operater'],
    [{ type: 'AND', values: [{ type: 'OR', values: [{ key: 'x' }] }] }, 'properties.values.0.values.0.value'],
    [nested(20), `properties${'.values.0'.repeat(20)}.values`],
    [Array.from({ length: 501 }, () => plan), 'properties'],
    [{ age__gt: {} }, 'properties.age__gt.value'],
    [{ a: null }, 'properties.a.value'],
    leaf({ operator: 'eq' }, '.operator'),
    leaf({ operator: 'toString' }, '.operator'),
    leaf({ operator: '__proto__' }, '.operator'),
    leaf({ operator: 5 }, '.operator'),
    leaf({ type: 'session' }, '.type'),
    leaf({ type: 5 }, '.type'),
    leaf({ key: 5 }, '.key'),
    leaf({ key: undefined }, '.key'),
    leaf({ key: null }, '.key'),
    leaf({ value: undefined }, '.value'),
    leaf({ value: null }, '.value'),
    leaf({ value: {} }, '.value'),
    leaf({ value: ['a', null] }, '.value.1'),
    leaf({ value: [['a']] }, '.value.0'),
    leaf({ value: Array.from({ length: 5001 }, () => 'x') }, '.value'),
    leaf({ negation: 'yes' }, '.negation'),
    leaf({ group_type_index: 0 }, '.group_type_index'),
    leaf({ operator: 'gt', value: { a: 1 } }, '.value'),
    leaf({ operator: 'gt', value: true }, '.value'),
    leaf({ operator: 'between', value: 5 }, '.value'),
    leaf({ operator: 'between', value: [] }, '.value'),
    leaf({ operator: 'not_between', value: [1, 2, 3] }, '.value'),
    leaf({ operator: 'regex', value: 'x'.repeat(8001) }, '.value'),
    leaf({ operator: 'regex', value: 'a\0(' }, '.value'),
    ...['yesterday', '2024-02-30', '2024-13-01', '12345d', '7', '', '24:00', '2024-01-01T25:00', 1711275630].map(
      (value) => leaf({ operator: 'is_date_before', value }, '.value'),
    ),
    leaf({ type: 'event_metadata', key: 'uuid' }, '.key'),
    leaf({ type: 'event_metadata', key: 'timestamp', operator: 'gt', value: '-7d' }, '.value'),
    leaf({ type: 'cohort', value: 3 }, '.key'),
    ...['x', 0, 1.5, 2 ** 31, true, [3, 'x']].map((value) => leaf({ type: 'cohort', key: 'id', value }, '.value')),
    leaf({ type: 'cohort', key: 'id', value: 3, operator: 'gt' }, '.operator'),
  ])('is refused by its path: %j', (input, attr) => {
    const [path, code, detail] = refusal(input);
    expect([path, detail]).toEqual([attr, expect.stringContaining(attr)]);
    expect(['invalid_input', 'required']).toContain(code);
  });

  it('may be of a type that is not allowed here', () => {
    expect(refusal([{ ...plan, type: 'event' }], ofPersons)).toEqual([
      'properties.0.type',
      'invalid_input',
      'properties.0.type must be one of person, cohort',
    ]);
  });

  it('may be nested 20 deep and no deeper', () => {
    expect(refusal(nested(19))).toEqual(['nothing was refused']);
  });
});

describe('the cost of reading a name', () => {
  it('grows linearly with its length', () => {
    const cpuOf = (work: () => unknown): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const before = process.cpuUsage();
          work();
          return process.cpuUsage(before).user / 1000;
        }),
      );
    const read = (length: number) => () => keyAndOperator(`${'_'.repeat(length)}!`);
    expect(read(10)()).toEqual({ key: `${'_'.repeat(10)}!` });
    // Linear is four times the time, with a margin for a busy machine; quadratic would be sixteen times the time. Whatever
    // disturbs the machine can only make a round fail.
    const isLinear = () => cpuOf(read(160_000)) < 8 * cpuOf(read(40_000)) + 40;
    expect([1, 2, 3, 4].some(isLinear)).toBe(true);
  });
});
