import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { freshStores } from '../../support/fresh-stores.js';
import { type PgConnection } from '../../../src/platform/postgres/connection.js';
import { postgresDataSource } from '../../../src/kernel/stores/data-source.js';
import { inItsOwnTime } from '../../../src/platform/postgres/in-its-own-time.js';
import { connect } from '../../../src/kernel/stores/open-postgres.js';
import { migratePostgres, underMigrationLock } from '../../../src/kernel/stores/migrate.js';

const insert = `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
  SELECT 1, gen_random_uuid(), 'viewed', 'reader-' || n % 7, now(), now(), '{}' FROM generate_series(1, $1::integer) AS n`;
const selectIndex = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'events_by_time'::regclass`;

/** Events are taken in meanwhile, which is why there is no transaction; so each step can be repeated. */
class IndexBesideInserts1799999999998 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // One whose creation was interrupted is there, but not used.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_by_time');
    await runner.query('CREATE INDEX CONCURRENTLY events_by_time ON events (project_id, timestamp)');
  }

  async down(): Promise<void> {}
}

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let processes: DataSource[];

beforeEach(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 4 });
  processes = await Promise.all([1, 2].map(() => postgresDataSource(stores.databaseUrl, []).initialize()));
  for (const process of processes) {
    const later = new (inItsOwnTime(IndexBesideInserts1799999999998))();
    Object.assign(process, { migrations: [...process.migrations, later] });
  }
});
afterEach(async () => {
  await Promise.all([pool.end(), ...processes.map((process) => process.destroy())]);
  await stores.remove();
});

const migrate = async (process: DataSource): Promise<number> =>
  underMigrationLock(process, async () => (await process.runMigrations()).length);
/** Builds that wait for an open transaction, so that the index is in the catalogue. Other specs use the same server. */
const builds = `pg_stat_progress_create_index
  WHERE datname = current_database() AND phase = 'waiting for writers before build'`;
const isBuilding = async (): Promise<boolean> => {
  const { rows } = await pool.query(`SELECT FROM ${builds}`);
  return rows.length > 0;
};

describe('a migration that builds an index of the log', () => {
  it('lets events in meanwhile, and another process wait for it', async () => {
    await pool.query(insert, [100]);
    const writer = await pool.connect();
    await writer.query('BEGIN');
    await writer.query(insert, [1]);
    let isOver = false;
    const migrated = Promise.all(processes.map(migrate)).finally(() => (isOver = true));
    while (!(await isBuilding())) await sleep(20);
    await pool.query(insert, [10]);
    expect(isOver).toBe(false);
    await writer.query('COMMIT');
    writer.release();
    expect((await migrated).sort()).toEqual([0, 1]);
    expect((await pool.query(selectIndex)).rows).toEqual([{ valid: true }]);
  });

  it('begins again after it was interrupted', async () => {
    const [process] = processes as [DataSource];
    const writer = await pool.connect();
    await writer.query('BEGIN');
    await writer.query(insert, [1]);
    const interrupted = migrate(process);
    while (!(await isBuilding())) await sleep(20);
    await pool.query(`SELECT pg_cancel_backend(pid) FROM ${builds}`);
    await expect(interrupted).rejects.toThrow(/canceling statement/);
    await writer.query('COMMIT');
    writer.release();
    expect((await pool.query(selectIndex)).rows).toEqual([{ valid: false }]);
    await migrate(process);
    expect((await pool.query(selectIndex)).rows).toEqual([{ valid: true }]);
  });
});

describe('a migration that takes longer than other statements may', () => {
  class Slow1799999999999 implements MigrationInterface {
    transaction = true;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query('SELECT pg_sleep(0.5)');
    }

    async down(): Promise<void> {}
  }

  it.each([true, false])('is not interrupted (in a transaction: %s), and later statements are', async (transaction) => {
    const [process] = processes as [DataSource];
    const runner = process.createQueryRunner();
    const connection = (await runner.connect()) as PgConnection;
    const migration = Object.assign(new (inItsOwnTime(Slow1799999999999))(), { transaction });
    expect(inItsOwnTime(Slow1799999999999).name).toBe('Slow1799999999999');
    await runner.query('SET statement_timeout = 100');
    await expect(new Slow1799999999999().up(runner)).rejects.toThrow(/statement timeout/);
    connection.patienceMs = 300;
    if (transaction) await runner.startTransaction();
    await migration.up(runner);
    if (transaction) await runner.commitTransaction();
    expect(connection.patienceMs).toBe(300);
    const limit = transaction ? '100ms' : '30s';
    expect(await runner.query('SHOW statement_timeout')).toEqual([{ statement_timeout: limit }]);
    await runner.release();
  });
});

describe('a database of a commit before the first release', () => {
  it('is refused with what to do, and nothing is changed', async () => {
    const { dataSource, postgres } = await connect(stores.databaseUrl, []);
    await pool.query(`UPDATE migrations SET name = 'Foundation1763700000000'`);
    const { rows: before } = await pool.query('SELECT name FROM migrations');
    const migrated = migratePostgres({ dataSource, postgres });
    await expect(migrated).rejects.toThrow(
      'made by a commit before the first release (it has the migration Foundation1763700000000), and no release upgrades it: export',
    );
    expect((await pool.query('SELECT name FROM migrations')).rows).toEqual(before);
    await dataSource.destroy();
  });
});
