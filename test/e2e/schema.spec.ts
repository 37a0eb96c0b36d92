import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { placementOf, referenceTables } from '../../src/platform/postgres/citus/placements.js';
import { freshStores } from '../support/fresh-stores.js';

/** Tables of no project that others refer to. */
const global: readonly string[] = referenceTables;

/** Citus has tables and triggers of its own. */
const ofCitus = 'citus_%';

let client: Client;
let stores: Awaited<ReturnType<typeof freshStores>>;

beforeAll(async () => {
  stores = await freshStores();
  client = new Client({ connectionString: stores.databaseUrl.href });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await stores.remove();
});

const rowsOf = async <T extends object>(query: string): Promise<T[]> => (await client.query<T>(query)).rows;

describe('every tenant table', () => {
  it('has project_id integer first in its primary key, every unique key and every foreign key to another tenant table', async () => {
    const tables = await rowsOf<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE '${ofCitus}' ORDER BY 1`,
    );
    const tenants = tables.map(({ name }) => name).filter((name) => placementOf(name) === 'distributed');
    expect(tenants).toEqual(expect.arrayContaining(['events', 'ingestion_warnings', 'person_distinct_ids', 'persons']));
    const keys = await rowsOf<{
      table: string;
      kind: string;
      columns: string[];
      refers_to: string | null;
      name: string;
    }>(`
      SELECT c.conrelid::regclass::text AS table, c.contype AS kind, c.conname AS name,
             nullif(c.confrelid, 0)::regclass::text AS refers_to,
             array(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
                   JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.place) AS columns
      FROM pg_constraint c WHERE c.contype IN ('p', 'u', 'f') AND c.connamespace = 'public'::regnamespace`);
    const unique = await rowsOf<{ table: string; first: string }>(`
      SELECT i.indrelid::regclass::text AS table, a.attname AS first FROM pg_index i
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE i.indisunique AND i.indrelid::regclass::text = ANY (array['${tenants.join("','")}'])`);
    for (const table of tenants) {
      const own = keys.filter((key) => key.table === table);
      expect([table, own.filter(({ kind }) => kind === 'p').length]).toEqual([table, 1]);
      const tenantKeys = own.filter(({ refers_to }) => !global.includes(refers_to ?? '') || refers_to === 'projects');
      for (const { name, columns } of tenantKeys) expect([name, columns[0]]).toEqual([name, 'project_id']);
    }
    for (const { table, first } of unique) expect([table, first]).toEqual([table, 'project_id']);
    const types = await rowsOf<{ name: string; type: string }>(
      `SELECT table_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'project_id'`,
    );
    for (const table of tenants) expect(types).toContainEqual({ name: table, type: 'integer' });
    const fromGlobal = keys.filter(
      ({ table, kind, refers_to }) => kind === 'f' && global.includes(table) && tenants.includes(refers_to ?? ''),
    );
    expect(fromGlobal).toEqual([]);
  });

  it('has no trigger, rule or enum, and no key that sets NULL', async () => {
    expect(
      await rowsOf(`
      SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgname NOT LIKE 'truncate_trigger_%'
        AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`),
    ).toEqual([]);
    expect(await rowsOf(`SELECT rulename FROM pg_rules WHERE schemaname = 'public'`)).toEqual([]);
    expect(
      await rowsOf(`
      SELECT typname FROM pg_type AS t WHERE typtype = 'e'
        AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = t.oid AND d.deptype = 'e')`),
    ).toEqual([]);
    expect(await rowsOf(`SELECT conname FROM pg_constraint WHERE confdeltype IN ('n', 'd')`)).toEqual([]);
  });
});
