import { type DataSource } from 'typeorm';
import { type Postgres } from './postgres.js';
import { keepDistributed } from './citus/keep-distributed.js';
import { postgresMigrations } from './migrations/index.js';

/** Any number of processes may start at once: the first migrates, the others wait and find nothing to do. */
const lockKey = 7_262_011;

export const underMigrationLock = async <T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> => {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    // The lock ends with its transaction, so it stays with it behind a pooler that gives each transaction another connection.
    await holder.startTransaction();
    try {
      // Waiting for another process's migration may take longer than any statement of ours.
      await holder.query('SET LOCAL statement_timeout = 0');
      await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await holder.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
      return await work();
    } finally {
      await holder.rollbackTransaction().catch(() => undefined);
    }
  } finally {
    await holder.release();
  }
};

/** Both use the same connections. */
interface OpenDatabase {
  readonly dataSource: DataSource;
  readonly postgres: Postgres;
}

/** Returns the names of the migrations that ran now. */
export const migratePostgres = async ({ dataSource, postgres }: OpenDatabase): Promise<string[]> => {
  const done = await dataSource.runMigrations();
  await keepDistributed(postgres);
  return done.map(({ name }) => name);
};

export const pendingPostgresMigrations = (dataSource: DataSource): Promise<boolean> => dataSource.showMigrations();

const nameOf = (migration: { readonly name: string }): string => migration.name;

/** The names of all migrations of this release, in the order they run. */
export const knownMigrations: readonly string[] = postgresMigrations.map(nameOf);

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
