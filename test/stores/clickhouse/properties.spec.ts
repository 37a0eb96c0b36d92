import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { sql, text, unsigned } from '../../../src/platform/clickhouse/sql.js';
import { WrittenProperties } from '../../../src/platform/clickhouse/request.js';
import { migrateClickHouse } from '../../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../../src/kernel/projection/schema/migrations.js';
import {
  projectedProperties,
  projectedText,
  propertyOfPath,
  propertyPath,
} from '../../../src/kernel/projection/schema/property.sql.js';

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  levels === 0 ? 1 : wrap(nested(levels - 1, wrap));

const hostile: Record<string, unknown> = {
  'an empty key': { '': 1, other: { '': 2 } },
  'dots, alone and beside the path they look like': { a: { b: 1 }, 'a.b': 2, '.': 3, '..': 4, '.a': 5, 'a.': 6 },
  'text that looks like an escaped dot': { 'a%2Eb': 1, 'a.b': 2, '%': 3, '%25': 4, '%2E': 5, '.': 6, '%252E': 7 },
  'a key of 10 kB': { ['k'.repeat(10_000)]: 'v' },
  'what means something in a path of ClickHouse': { '^a': 1, 'a[]': 2, 'a.:`Int64`': 3, '`a`': 4, null: 5, size0: 6 },
  '__proto__ and its kin': JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3}') as object,
  quotes: { "'": 1, '"': 2, '\\': 3, '`': 4, '\n': 5, '\u0001': 6, '{x:String}': 7 },
  emoji: { '😀': '😀', ü: '\u2028' },
  'empty values': { a: '', b: [], c: {}, d: [[]], e: [{}] },
  'mixed lists': { a: [1, 'x', null, { b: 1 }, [2], 1.5, true] },
  'deep objects': nested(98, (inner) => ({ a: inner })),
  'deep lists': { a: nested(98, (inner) => [inner]) },
  'large numbers': { a: 1e308, b: -1e308, c: 5e-324, d: 1.7976931348623157e308, e: 1e21, f: 123456789012345680000 },
  'large integers': {
    a: 2 ** 53,
    b: 2 ** 63,
    c: 2 ** 64,
    d: -(2 ** 63),
    e: -(2 ** 64),
    f: 1e20,
    g: 18446744073709552000,
  },
  'text that looks like something else': { a: '12', b: 'true', c: 'null', d: '[1]', e: '{"a":1}', f: 'nan', g: '0x1' },
  'two thousand keys': Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`key ${n}`, n])),
  'a text of 1 MB': { a: 'ab"\n'.repeat(250_000) },
};

describe('properties as JSON text', () => {
  /** As PostgreSQL writes them, with a space after colons and commas. */
  const texts = [
    ...Object.values(hostile).map((properties) => JSON.stringify(properties, null, 1)),
    '{}',
    '{"a": 1, "b": "x", "c": true, "d": -1.5, "e": 0.1}',
    '{"a": 1.0, "b": 1.50, "c": 100.00, "d": 10, "e": 0.10}',
    '{"a": 123456789012345, "b": 1234567890123456, "c": 9223372036854775808, "d": 0.12345678901234567}',
    '{"a": null, "b": [1, "x"], "c": {"d": null}}',
    '{"100%": 1, "a%2Eb": "x"}',
    '{"a": "null", "b": "1.0", "c": "[", "d": "\\"{", "e": "50%"}',
  ];

  it.each(texts)('are those that were parsed: %.60s', (json) => {
    const projected = projectedText(json);
    const text = projected instanceof WrittenProperties ? projected.json : JSON.stringify(projected);
    const numbers = (of: string) => of.match(/(?<=: ?)-?\d[\d.e+-]*/g) ?? [];
    const expected = JSON.stringify(projectedProperties(JSON.parse(json) as object));
    expect(JSON.parse(text)).toEqual(JSON.parse(expected));
    // ClickHouse takes 1.0 for another type than 1.
    expect(numbers(text)).toEqual(numbers(expected));
  });

  it('are not parsed when they need not be', () => {
    expect(projectedText('{"a": 1, "b": "x", "c": true, "d": -1.5}')).toBeInstanceOf(WrittenProperties);
    expect(projectedText('{"a": 1.0}')).not.toBeInstanceOf(WrittenProperties);
  });
});

describe('properties in a JSON column', () => {
  let folder: string;
  let clickhouse: ClickHouse;
  let inserted = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kohort-properties-'));
    clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
    await migrateClickHouse(clickhouse, clickhouseMigrations);
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  const insert = async (...many: object[]): Promise<number[]> => {
    const ids = many.map(() => (inserted += 1));
    const rows = many.map((properties, at) => ({
      project_id: 1,
      id: ids[at],
      properties: projectedProperties(properties),
    }));
    await clickhouse.insert('persons', rows);
    return ids;
  };

  const read = async (id: number, key: string): Promise<string | null | undefined> => {
    const rows = await clickhouse.query<{ value: string | null }>(
      sql`SELECT getSubcolumn(properties, ${text(propertyPath(key))})::Nullable(String) AS value
        FROM persons WHERE project_id = 1 AND id = ${unsigned(id)}`,
      { project: 'system' },
    );
    return rows[0]?.value;
  };

  const pathsOf = async (id: number): Promise<string[]> => {
    const rows = await clickhouse.query<{ paths: string[] }>(
      sql`SELECT JSONAllPaths(properties) AS paths FROM persons WHERE project_id = 1 AND id = ${unsigned(id)}`,
      { project: 'system' },
    );
    return rows[0]?.paths ?? [];
  };

  /** The text form, with which questions compare. */
  const textOf = (value: unknown): string | null => {
    if (value === null || typeof value === 'string') return value;
    return JSON.stringify(value);
  };
  /** ClickHouse writes 1e+21 as 1e21. */
  const same = (value: unknown, stored: string | null | undefined): boolean => {
    if (typeof value === 'number') return Number(stored) === value;
    // The keys of an object are stored in one order, whatever the sender's.
    if (typeof value === 'object' && value !== null)
      return isDeepStrictEqual(JSON.parse(stored ?? 'null'), JSON.parse(JSON.stringify(value)));
    return stored === textOf(value);
  };

  it('keep equal objects under one text, whatever the order of their keys', async () => {
    const [one, other] = [
      { b: { d: 1, c: [{ z: 1, y: 2 }] }, a: null },
      { a: null, b: { c: [{ y: 2, z: 1 }], d: 1 } },
    ];
    const [first = 0, second = 0] = [...(await insert({ o: one })), ...(await insert({ o: other }))];
    expect(await read(first, 'o')).toBe('{"a":null,"b":{"c":[{"y":2,"z":1}],"d":1}}');
    expect(await read(second, 'o')).toBe(await read(first, 'o'));
  });

  it.each(Object.entries(hostile))('keep %s', async (_, properties) => {
    const object = properties as Record<string, unknown>;
    const [id = 0] = await insert(object);
    for (const key of Object.keys(object).slice(0, 50)) {
      const stored = await read(id, key);
      expect([key, same(object[key], stored)]).toEqual([key, true]);
    }
    expect((await pathsOf(id)).map(propertyOfPath).sort()).toEqual(Object.keys(object).sort());
  });

  it('take a null as absent', async () => {
    const [id = 0] = await insert({ a: null, b: 1 });
    expect([await read(id, 'a'), await pathsOf(id)]).toEqual([null, ['b']]);
  });

  it('keep text that looks like a date letter by letter', async () => {
    const dates = {
      a: '2024-01-01T00:00:00Z',
      b: '2024-01-01',
      c: '2024-01-01T00:00:00.123456+02:00',
      d: 'Jan 5 2024',
      e: '01/02/2024',
      f: ' 2024-01-01 ',
    };
    const [id = 0] = await insert(dates);
    for (const [key, value] of Object.entries(dates)) expect(await read(id, key)).toBe(value);
  });

  it('keep whatever else JSON holds, many rows of different types together', async () => {
    const key = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a', 'a.b', 'a%2Eb', '%', '.', '__proto__', ''),
    );
    const objects = fc.array(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(objects, async (many) => {
        const clean = many.map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);
        const ids = await insert(...clean);
        for (const [at, object] of clean.entries()) {
          const id = ids[at] ?? 0;
          const present = Object.keys(object).filter((name) => object[name] !== null);
          expect((await pathsOf(id)).map(propertyOfPath).sort()).toEqual(present.sort());
          for (const name of present.slice(0, 2)) expect(same(object[name], await read(id, name))).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a path', () => {
  it('stands for one key', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '2', '5', 'E', '.', 'a') }), (key) => {
        expect(propertyOfPath(propertyPath(key))).toBe(key);
      }),
    );
  });
});
