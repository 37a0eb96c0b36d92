import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { type Config } from '../config/config.js';
import { type Logger } from '../common/logging/logger.js';
import { postgresDataSource, type Entities } from './postgres/data-source.js';
import { surviveLostConnections } from './postgres/pool.js';
import { Postgres } from './postgres/postgres.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';

interface ConnectedPostgres {
  readonly postgres: Postgres;
  /** The same connections, for TypeORM's repositories and migrations. */
  readonly dataSource: DataSource;
}

export interface OpenPostgres extends ConnectedPostgres {
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL as configured: the server of DATABASE_URL, or our own child process. The caller must hold the lock of
 * DATA_DIR.
 */
export const openPostgres = async (config: Config, logger: Logger, entities: Entities): Promise<OpenPostgres> => {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, logger });
  try {
    const connected = await connect(config.databaseUrl ?? embedded!.url, entities);
    return {
      ...connected,
      close: async () => {
        if (connected.dataSource.isInitialized) await connected.dataSource.destroy();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
};

export const connect = async (url: URL, entities: Entities): Promise<ConnectedPostgres> => {
  let postgres: Postgres | undefined;
  const onPool = (pool: Pool) => {
    surviveLostConnections(pool);
    postgres = new Postgres(pool);
  };
  const dataSource = await postgresDataSource(url, entities, { onPool }).initialize();
  if (!postgres) throw new Error('TypeORM has not made a pool of connections');
  return { postgres, dataSource };
};
