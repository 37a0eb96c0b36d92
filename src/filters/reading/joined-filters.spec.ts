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
    [[either], [pro], both(both(either), both(pro))],
    [either, either, both(either, either)],
  ])('%j and %j are %j', (one, other, joined) => {
    expect(joinedFilters(one, other)).toEqual(joined);
  });
});
