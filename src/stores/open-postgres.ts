import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { type Config } from '../config/config.js';
import { type Logger } from '../common/logging/logger.js';
import { postgresDataSource, type Entities } from './postgres/data-source.js';
import { surviveLostConnections } from './postgres/pool.js';
import { Postgres } from './postgres/postgres.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';
import { databaseUrlFault, dataDirFault, explaining } from './start-faults.js';

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
  const { databaseUrl, dataDir } = config;
  if (databaseUrl) {
    const connected = await connectToServer(databaseUrl, entities);
    return { ...connected, close: () => closeConnections(connected) };
  }
  return explaining(() => openEmbedded(dataDir, logger, entities), dataDirFault(dataDir));
};

const closeConnections = async ({ dataSource }: ConnectedPostgres): Promise<void> => {
  if (dataSource.isInitialized) await dataSource.destroy();
};

const openEmbedded = async (dataDir: string, logger: Logger, entities: Entities): Promise<OpenPostgres> => {
  const embedded = await startEmbeddedPostgres({ dataDir, logger });
  try {
    const connected = await connect(embedded.url, entities);
    return {
      ...connected,
      close: async () => {
        await closeConnections(connected);
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
};

/** Connects to the server of DATABASE_URL. */
export const connectToServer = (url: URL, entities: Entities): Promise<ConnectedPostgres> =>
  explaining(() => connect(url, entities), databaseUrlFault(url));

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
