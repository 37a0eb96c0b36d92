import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { OffHeapText } from '../../../src/platform/values/off-heap-text.js';
import { instantArray, itself, offHeapTextArray, textArray } from '../../../src/platform/postgres/binary-array.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});

const asRead = async (type: 'text' | 'timestamptz', array: Buffer): Promise<unknown[]> => {
  const { rows } = await pool.query<{ item: unknown }>(
    `SELECT item FROM unnest($1::${type}[]) WITH ORDINALITY AS list (item, at) ORDER BY at`,
    [array],
  );
  return rows.map(({ item }) => item);
};

/** PostgreSQL cannot store NUL. */
const text = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((each) => !each.includes('\0'));
const traps = ['', 'NULL', '{}', '{"a","b"}', '"', '\\', "'", ',', ' ', 'é€😀'];

describe('a list in binary form', () => {
  it('of texts arrives as it is', async () => {
    expect(await asRead('text', textArray(traps, itself))).toEqual(traps);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 100 }), async (texts) => {
        expect(await asRead('text', textArray(texts, itself))).toEqual(texts);
        const offHeap = texts.map((each) => OffHeapText.of(each));
        expect(
          await asRead(
            'text',
            offHeapTextArray(offHeap, (each) => each),
          ),
        ).toEqual(texts);
      }),
      { numRuns: 50 },
    );
  });

  it('of instants arrives to the millisecond', async () => {
    const instant = fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2299-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(instant, { maxLength: 100 }), async (instants) => {
        expect(
          await asRead(
            'timestamptz',
            instantArray(instants, (each) => each),
          ),
        ).toEqual(instants);
      }),
      { numRuns: 50 },
    );
  });
});
