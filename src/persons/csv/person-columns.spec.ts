import { describe, expect, it } from '@jest/globals';
import { maxPropertyColumns, OccurringKeys } from './occurring-keys.js';
import { PersonColumns } from './person-columns.js';

const person = (properties: Record<string, unknown>) => ({
  id: 1,
  uuid: 'u',
  name: 'Ada',
  created_at: 'c',
  distinct_ids: ['ada'],
  properties,
});
const columnsOf = (...all: Record<string, unknown>[]) => new PersonColumns(OccurringKeys.of(all.map(person)));
const many = (count: number, prefix: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, n]));

describe('the columns of persons', () => {
  it('are one for each key while there are a thousand', () => {
    const columns = columnsOf(many(maxPropertyColumns, 'k'));
    expect(columns.header).toHaveLength(5 + maxPropertyColumns);
    expect(columns.header).not.toContain('properties');
  });

  it('go to the most frequent keys, in alphabetical order; the others are JSON in the last column', () => {
    const flood = { ...many(maxPropertyColumns, '!'), email: 'a@b.c', plan: 'pro' };
    const columns = columnsOf(flood, { email: 'x', plan: 'free' });
    expect(columns.header).toHaveLength(5 + maxPropertyColumns + 1);
    expect(columns.header.slice(-3)).toEqual(['properties.email', 'properties.plan', 'properties']);
    expect(columns.row(person(flood)).slice(-3)).toEqual(['a@b.c', 'pro', { '!998': 998, '!999': 999 }]);
    expect(columns.row(person({ plan: 'free' })).slice(-3)).toEqual([null, 'free', null]);
  });

  it('lose no property of a person, whatever its name', () => {
    const properties = { ...many(maxPropertyColumns, 'k'), '': 1, properties: 2, __proto__x: 3, '1': 4 };
    const columns = columnsOf(properties);
    expect(new Set(columns.header).size).toBe(columns.header.length);
    const row = columns.row(person(properties));
    const cells = Object.fromEntries(
      columns.header.slice(5, -1).map((name, at) => [name.slice('properties.'.length), row[5 + at]]),
    );
    expect({ ...cells, ...(row.at(-1) as object) }).toEqual(properties);
  });

  it('are selected from three hundred thousand keys without storing them all', () => {
    const keys = new OccurringKeys();
    for (let n = 0; n < 300_000; n += 1) {
      keys.add(`junk${n}`, 1);
      if (n % 100 === 0) keys.add('plan', 1);
    }
    expect(keys.columns).toContain('plan');
    expect(keys.columns).toHaveLength(maxPropertyColumns);
    expect(keys.hasMore).toBe(true);
  });
});
