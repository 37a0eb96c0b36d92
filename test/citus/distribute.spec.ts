import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { cli } from '../support/process.js';
import { freshStores } from '../support/fresh-stores.js';
import { distributionOf } from '../../src/platform/postgres/citus/distribute.js';
import { placementOf } from '../../src/platform/postgres/citus/placements.js';

const workers = process.env.TEST_CITUS_WORKERS;

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});

describe('the distribution of a database', () => {
  it('is null without Citus, and whole where the tests have distributed it (npm run test:citus)', async () => {
    expect(await distributionOf(pool)).toEqual(workers ? { isBegun: true, missing: [], wrong: [], isSet: true } : null);
  });

  it('is made by a command, which changes nothing where it is whole, and says what is missing where there is no Citus', async () => {
    const { code, stdout, stderr } = await cli(
      { DATABASE_URL: stores.databaseUrl.href },
      'citus',
      'distribute',
      '--json',
    );
    if (workers) expect([code, JSON.parse(stdout)]).toEqual([0, []]);
    else
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('the database has no Citus: run CREATE EXTENSION citus'),
      ]);
  });

  it('puts every table with a project on the node of the project, on all, or on the coordinator where it is a queue', async () => {
    const { rows } = await pool.query<{ name: string; tenant: boolean }>(`
      SELECT t.table_name AS name, EXISTS (
        SELECT FROM information_schema.columns AS c
        WHERE c.table_schema = 'public' AND c.table_name = t.table_name AND c.column_name = 'project_id') AS tenant
      FROM information_schema.tables AS t WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'`);
    const elsewhere = rows.filter(({ name, tenant }) => tenant && placementOf(name) !== 'distributed');
    expect(elsewhere.map(({ name }) => name).sort()).toEqual([
      'arrivals',
      'invitations',
      'outbox',
      'outbox_replay',
      'project_costs',
      'project_members',
      'sealing_walks',
      'shipments',
      'unsealed_events',
    ]);
    const homeless = rows.filter(({ name, tenant }) => !tenant && placementOf(name) === 'distributed');
    expect(homeless).toEqual([]);
  });
});
