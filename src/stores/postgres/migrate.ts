import { type DataSource } from 'typeorm';

/** Any number of processes may start at once: the first migrates, the others wait and find nothing to do. */
const lockKey = 7_262_011;

export const underMigrationLock = async <T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> => {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    // Waiting for another process's migration may take longer than any statement of ours.
    await holder.query('SET statement_timeout = 0');
    await holder.query('SELECT pg_advisory_lock($1)', [lockKey]);
    try {
      return await work();
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [lockKey]);
      await holder.query('RESET statement_timeout');
    }
  } finally {
    await holder.release();
  }
};

/** Returns the names of the migrations that ran now. */
export const migratePostgres = async (dataSource: DataSource): Promise<string[]> => {
  const done = await dataSource.runMigrations();
  return done.map(({ name }) => name);
};

export const pendingPostgresMigrations = (dataSource: DataSource): Promise<boolean> => dataSource.showMigrations();
