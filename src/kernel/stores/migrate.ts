import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type QueryRunner } from 'typeorm';
import { ConfigError } from '../../platform/config/config.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { distributeNewTables } from '../../platform/postgres/citus/distribute.js';
import { postgresMigrations } from './migrations/index.js';

/** Any number of processes may start at once: the first migrates, the others wait and find nothing to do. */
const lockKey = 7_262_011;
const pollMs = 100;

/**
 * Tries to take the lock, instead of waiting for it in the database: a migration that builds an index concurrently waits for
 * the end of all older snapshots. A statement that waits for the lock would hold a snapshot, and so would a statement with
 * parameters even after its end.
 */
const isLocked = async (holder: QueryRunner): Promise<boolean> => {
  const rows = (await holder.query(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS locked`)) as { locked: boolean }[];
  return rows[0]?.locked ?? false;
};

export const underMigrationLock = async <T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> => {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    // The lock belongs to a transaction, because a pooler may give each transaction another connection.
    await holder.startTransaction();
    try {
      await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      while (!(await isLocked(holder))) await sleep(pollMs);
      return await work();
    } finally {
      await holder.rollbackTransaction().catch(() => undefined);
    }
  } finally {
    await holder.release();
  }
};

/** `dataSource` and `postgres` use the same connections. */
interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly postgres: Postgres;
}

const nameOf = (migration: { readonly name: string }): string => migration.name;

/** The names of all migrations of this release, in the order they run. */
export const knownMigrations: readonly string[] = postgresMigrations.map(nameOf);

/**
 * Refuses a schema of a commit before the first release: other migrations made it, so the first migration of this release would
 * find its tables there already.
 */
export const refuseUnreleasedSchema = async (postgres: Postgres): Promise<void> => {
  const { rows: tables } = await postgres.query(`SELECT FROM pg_class WHERE oid = to_regclass('migrations')`);
  if (tables.length === 0) return;
  const { rows } = await postgres.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  if (rows.length === 0 || rows.some(({ name }) => name === knownMigrations[0])) return;
  throw new ConfigError(
    `The PostgreSQL database was made by a commit before the first release (it has the migration ${rows[0]?.name}), and no release upgrades it: export its persons and events with that commit, and import them into an empty DATA_DIR or DATABASE_URL`,
  );
};

/** Returns the names of the migrations that ran now. */
export const migratePostgres = async ({ dataSource, postgres }: OpenDatabase): Promise<string[]> => {
  await refuseUnreleasedSchema(postgres);
  const done = await dataSource.runMigrations();
  await distributeNewTables(postgres);
  return done.map(({ name }) => name);
};

export const pendingPostgresMigrations = (dataSource: DataSource): Promise<boolean> => dataSource.showMigrations();

/** Runs only these migrations, to get the schema that an earlier release had. */
export const migratePostgresTo = async (dataSource: DataSource, names: readonly string[]): Promise<void> => {
  const all = dataSource.migrations;
  const some = all.filter((migration) => names.includes(migration.name ?? migration.constructor.name));
  Object.assign(dataSource, { migrations: some });
  try {
    await dataSource.runMigrations();
  } finally {
    Object.assign(dataSource, { migrations: all });
  }
};
