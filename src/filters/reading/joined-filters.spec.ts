import { describe, expect, it } from '@jest/globals';
import { joinedFilters } from './joined-filters.js';

const [pro, de] = [
  { key: 'plan', value: 'pro' },
  { key: 'country', value: 'DE', type: 'person' },
];
const either = { type: 'OR', values: [pro, de] };
const both = (...values: unknown[]) => ({ type: 'AND', values });

describe('two parameters of filters', () => {
  it.each<[unknown, unknown, unknown]>([
    [undefined, [pro], [pro]],
    [[], either, either],
    [either, null, either],
    [null, '', []],
    [[pro], [de], [pro, de]],
    [JSON.stringify([pro]), [de], [pro, de]],
    [pro, [de], [pro, de]],
    [{ plan: 'pro', age__gt: 5 }, [de], [{ key: 'plan', value: 'pro' }, { key: 'age', operator: 'gt', value: 5 }, de]],
    [[pro], either, both(both(pro), either)],
    [either, [pro], both(either, both(pro))],
    [[either], [pro], both(either, both(pro))],
    [undefined, [either, pro], both(either, both(pro))],
    [either, either, both(either, either)],
  ])('%j and %j are %j', (one, other, joined) => {
    expect(joinedFilters(one, other).filters).toEqual(joined);
  });

  it('tell where the parts of the second one are', () => {
    const places = (one: unknown, other: unknown) =>
      joinedFilters(one, other).places.map(({ path, was }) => [path, was]);
    expect(places([pro], [de, pro])).toEqual([
      ['.1', '.0'],
      ['.2', '.1'],
    ]);
    expect(places([pro], [de, either])).toEqual([
      ['.values.1.values.0', '.0'],
      ['.values.2', '.1'],
    ]);
    expect(places([pro], either)).toEqual([['.values.1', '']]);
    expect(places([], [de])).toEqual([['', '']]);
    expect(places(either, [])).toEqual([]);
  });
});
