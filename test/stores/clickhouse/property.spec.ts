import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { sql } from '../../../src/platform/clickhouse/sql.js';
import {
  projectedProperties,
  propertyStoredAs,
  propertyText,
} from '../../../src/kernel/projection/schema/property.sql.js';

/** Each is the key of one row, and of no other. */
const keys = [
  ...['plain', '$browser', 'two words', 'ü→𝄞', 'null', 'size0', 'properties', 'e', 'select', '__proto__', '1', '', ' '],
  ...[
    'a`b',
    '`a`',
    "a'b",
    'a"b',
    'a\\b',
    '\\n',
    'line\nbreak',
    'nul\0',
    '{p1:String}',
    '--',
    "';",
    '*',
    '[]',
    '\u200b',
  ],
  ...['a.b', '.', '..', '.a', 'a.', 'a%2Eb', '%25', '.null', 'a.size', 'x.:String', '.:`String`', 'x'.repeat(400)],
  ...[':`String`', ':`', ':`a.b', ':', ':x', '^', '^x', '^`a`', '^`', '.^a'],
];
const values = ['text', 'say "\\"', 12, -0.5, 1e21, true, [1, { a: 2 }]];
const written = ['text', 'say "\\"', '12', '-0.5', '1e21', 'true', '[1,{"a":2}]'];

describe('one property of a JSON column', () => {
  let folder: string;
  let clickhouse: ClickHouse;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kohort-property-'));
    clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
    await clickhouse.command(sql`
      CREATE TABLE things (n UInt32, properties JSON) ENGINE = MergeTree ORDER BY n SETTINGS min_bytes_for_wide_part = 0`);
    const rows = keys.map((key, n) => ({
      n,
      properties: projectedProperties({ other: 'o', [`${key} too`]: 1, [key]: values[n % values.length] }),
    }));
    await clickhouse.insert('things', rows);
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(keys.map((key, n) => [JSON.stringify(key).slice(0, 30), key, n] as const))(
    'is found under %s and nowhere else',
    async (_, key, n) => {
      const column = sql`t.properties`;
      const found = await clickhouse.query<{ n: number; text: string; stored: string | null }>(
        sql`
        SELECT t.n AS n, ${propertyText(column, key)} AS text, ${propertyStoredAs(column, key, 'String')} AS stored
        FROM things AS t WHERE isNotNull(${propertyText(column, key)}) ORDER BY n`,
        { project: 'system' },
      );
      const value = values[n % values.length];
      const isText = typeof value === 'string' || Array.isArray(value) || /^[:^]/.test(key);
      const text = written[n % written.length];
      expect(found).toEqual([{ n, text, stored: isText ? text : null }]);
    },
  );

  it('tells numbers apart by how they are stored', async () => {
    const column = sql`t.properties`;
    const numbers = await clickhouse.query(
      sql`
      SELECT ${propertyStoredAs(column, 'plain', 'String')} AS a, ${propertyStoredAs(column, 'two words', 'Int64')} AS b,
        ${propertyStoredAs(column, 'two words', 'Float64')} AS c, ${propertyStoredAs(column, 'ü→𝄞', 'Float64')} AS d
      FROM things AS t WHERE n IN (0, 2, 3) ORDER BY n`,
      { project: 'system' },
    );
    expect(numbers).toEqual([
      { a: 'text', b: null, c: null, d: null },
      { a: null, b: 12, c: null, d: null },
      { a: null, b: null, c: null, d: -0.5 },
    ]);
  });
});
