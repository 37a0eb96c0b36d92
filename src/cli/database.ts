import { type DataSource } from 'typeorm';
import { type Logger } from '../common/logging/logger.js';
import { type Config } from '../config/config.js';
import { entities } from '../entities.js';
import { lockDataDir } from '../stores/data-dir.js';
import { connect, connectToServer, openPostgres } from '../stores/open-postgres.js';
import { type Postgres } from '../stores/postgres/postgres.js';
import { migratePostgres, underMigrationLock } from '../stores/postgres/migrate.js';
import { runningEmbeddedPostgres } from '../stores/postgres/embedded/server.js';

export interface Database {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  /** A running service owns the embedded stores of DATA_DIR; only its PostgreSQL can be shared. */
  readonly besideService: boolean;
  readonly migrated: readonly string[];
}

/**
 * Opens PostgreSQL for one command: the configured server, the one of the running service, or one that runs as long as the
 * command.
 */
export const withDatabase = async <T>(
  config: Config,
  logger: Logger,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const running = config.databaseUrl ? null : await runningEmbeddedPostgres(config.dataDir);
  if (running || config.databaseUrl) {
    const connected = await (running
      ? connect(running, entities)
      : connectToServer(config.databaseUrl as URL, entities));
    try {
      return await migratedFirst(connected, running !== null, work);
    } finally {
      await connected.dataSource.destroy();
    }
  }
  const lock = await lockDataDir(config.dataDir);
  try {
    const opened = await openPostgres(config, logger, entities);
    try {
      return await migratedFirst(opened, false, work);
    } finally {
      await opened.close();
    }
  } finally {
    await lock.release();
  }
};

const migratedFirst = async <T>(
  { postgres, dataSource }: Pick<Database, 'postgres' | 'dataSource'>,
  besideService: boolean,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const migrated = await underMigrationLock(dataSource, () => migratePostgres(dataSource));
  return work({ postgres, dataSource, besideService, migrated });
};
