import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/errors/problem.js';
import { everything, isEverything, leavesOf } from './filter.js';
import { parseFilters } from './filter-fields.js';
import { type FilterOptions, keyAndOperator } from './leaf.js';
import { testAccountFilters } from '../checks/test-account-filters.js';

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

  it('in several cohorts is one in any of them, or in none', () => {
    const cohorts = (more: object) => read([{ type: 'cohort', key: 'id', value: [3, 4], ...more }]);
    expect(cohorts({})).toMatchObject({ parts: [{ kind: 'group', combine: 'OR' }] });
    expect(cohorts({ operator: 'not_in' })).toMatchObject({ parts: [{ kind: 'group', combine: 'AND' }] });
    expect(isEverything(cohorts({ value: [] }))).toBe(true);
    expect(cohorts({ value: [3], key: null })).toMatchObject({ parts: [{ kind: 'cohort', cohortId: 3 }] });
    expect(read({ type: 'cohort', at: 'event', value: 3 })).toMatchObject({ kind: 'cohort', atEvent: true });
    expect(cohorts({ value: 3, at: null })).not.toHaveProperty('parts.0.atEvent');
  });

  it('may be negated', () => {
    expect(read({ ...plan, negation: true })).toMatchObject({ negated: true });
    expect(read({ ...plan, negation: false })).not.toHaveProperty('negated');
    expect(read({ ...plan, type: 'person', operator: null })).toMatchObject({ source: 'person', operator: 'exact' });
    expect(read({ key: 'plan', operator: 'is_set' })).toMatchObject({ key: 'plan', operator: 'is_set', values: [] });
  });

  it('is everything where it is an AND of nothing else, or an OR of nothing', () => {
    const group = (type: string, ...values: unknown[]) => ({ type, values });
    const [and, or] = [group('AND'), group('OR')];
    const isAll = (input: unknown) => isEverything(read(input));
    expect([and, or, group('AND', and, or), group('OR', and)].map(isAll)).toEqual([true, true, true, false]);
    expect([group('AND', plan), group('AND', and, group('AND', plan)), plan].map(isAll)).toEqual([false, false, false]);
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

  it.each([
    [{ key: undefined }, 'required', '.key is required'],
    [{ key: null }, 'required', '.key is required'],
    [{ key: 5 }, 'invalid_input', '.key must be text'],
    [{ key: 'k'.repeat(1001) }, 'invalid_input', '.key must have at most 1000 characters'],
    [{ value: undefined }, 'required', '.value is required'],
    [{ value: null }, 'required', '.value is required'],
    [{ value: 'v'.repeat(1001) }, 'invalid_input', '.value must have at most 1000 characters'],
    [{ value: ['v', 'v'.repeat(1001)] }, 'invalid_input', '.value.1 must have at most 1000 characters'],
    [{ value: NaN }, 'invalid_input', '.value must be text, a number, true or false, or a list of these'],
    [{ operator: 'regex', value: 'x'.repeat(8001) }, 'invalid_input', '.value must be a regular expression of at most'],
    [{ operator: 'not_regex', value: 'a\0' }, 'invalid_input', '.value must be a regular expression without NUL'],
    [{ operator: 'lt', value: false }, 'invalid_input', '.value must be a number, a date or text: true and false have'],
    [{ operator: 'lt', value: 'v'.repeat(1001) }, 'invalid_input', '.value must have at most 1000 characters'],
    [{ operator: 'between', value: [1] }, 'invalid_input', '.value must be a list of two values'],
    [{ operator: 'not_between', value: 'ab' }, 'invalid_input', '.value must be a list of two values'],
    [
      { operator: 'is_date_after', value: '7' },
      'invalid_input',
      '.value must be an ISO 8601 date such as 2024-01-31 or',
    ],
    [{ operator: 'is_date_after', value: true }, 'invalid_input', '.value must be an ISO 8601 date such as 2024-01-31'],
    [{ operator: 'like' }, 'invalid_input', '.operator must be one of exact, is_not, icontains'],
    [{ type: 'cohort', key: 'name' }, 'invalid_input', '.key must be "id" for a cohort'],
    [{ type: 'cohort', key: 'id', operator: 'gt' }, 'invalid_input', '.operator must be in or not_in for a cohort'],
    [{ type: 'cohort', key: 'id', value: null }, 'required', '.value is required'],
    [{ type: 'cohort', key: 'id', value: undefined }, 'required', '.value is required'],
    [{ type: 'cohort', key: 'id', value: 'x' }, 'invalid_input', '.value must be the id of a cohort, an integer'],
    [{ type: 'cohort', key: 'id', value: 3, at: 'now' }, 'invalid_input', '.at must be one of event'],
    [{ at: 'event' }, 'invalid_input', '.at '],
    [{ group_type_index: 0 }, 'invalid_input', '.group_type_index '],
  ])('with %j is refused as %s: %s', (more, code, words) => {
    expect(refusal([{ ...plan, ...more }]).slice(1)).toEqual([code, expect.stringContaining(`properties.0${words}`)]);
  });

  it.each([
    [true, 'properties must be a list of filters, or a group of them'],
    ['{"key"', 'properties must be JSON'],
    [[null], 'properties.0 must be a filter, an object'],
    [{ type: 'AND', values: {} }, 'properties.values must be a list'],
    [{ type: 'AND' }, 'properties.values is required'],
    [{ values: [] }, 'properties.type must be AND or OR'],
    [{ type: 'AND', values: [], value: [] }, 'a group has type and values'],
    [[plan, { type: 'AND', values: [] }], 'must hold either filters or groups, not both'],
    [nested(20), 'must be nested at most 20 deep'],
    [Array.from({ length: 501 }, () => plan), 'properties must hold at most 500 filters'],
    [Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`p${at}`, 1])), 'must hold at most 500 filters'],
    [
      { type: 'OR', values: [251, 250].map((length) => ({ type: 'AND', values: Array.from({ length }, () => plan) })) },
      'must hold at most 500 filters',
    ],
  ])('is refused in words: %j', (input, words) => {
    expect(refusal(input)[2]).toContain(words);
  });

  it('may have as many filters, values and characters as the limits, and dates of all kinds', () => {
    const text = 'v'.repeat(1000);
    const most = [
      { key: text, value: text },
      { key: 'a', value: Array.from({ length: 5000 }, () => 'x') },
      { key: 'a', operator: 'gt', value: text },
      { key: 'a', operator: 'regex', value: 'x'.repeat(8000) },
      { key: 'a', operator: 'regex', value: 7 },
      { key: 'a', operator: 'is_date_after', value: ['2024-01-31', '-7d'] },
      { key: 'a', operator: 'between', value: [1, 2] },
      { type: 'event_metadata', key: 'timestamp', operator: 'exact', value: '2024-01-31' },
      { type: 'event_metadata', key: 'timestamp', operator: 'is_date_after', value: '-7d' },
      { type: 'event_metadata', key: 'timestamp', operator: 'icontains', value: '2024' },
      { type: 'event_metadata', key: 'event', value: '-7d' },
      { key: 'timestamp', value: '-7d' },
    ];
    expect(leavesOf(read(most))).toHaveLength(most.length);
    expect(leavesOf(read(Array.from({ length: 500 }, () => plan)))).toHaveLength(500);
    expect(read([{ key: 'a', operator: 'is_set', value: {} }])).toMatchObject({ parts: [{ values: [] }] });
    expect(refusal([{ type: 'event_metadata', key: 'timestamp', value: '-7d' }])[2]).toBe(
      'properties.0.value must be an ISO 8601 date such as 2024-01-31 or 2024-01-31T10:00:00Z',
    );
  });

  it('of test accounts names cohorts that may be deleted', () => {
    const project = {
      testAccountFilters: [{ type: 'cohort', key: 'id', value: 3 }],
    } as unknown as Parameters<typeof testAccountFilters>[0];
    expect(leavesOf(testAccountFilters(project))).toMatchObject([{ cohortId: 3, stored: true }]);
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
