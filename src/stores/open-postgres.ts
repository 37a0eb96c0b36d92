import { type DataSource } from 'typeorm';
import { type Config } from '../config/config.js';
import { type Logger } from '../common/logging/logger.js';
import { postgresDataSource, type Entities } from './postgres/data-source.js';
import { pgPool, surviveLostConnections } from './postgres/pool.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';

export interface OpenPostgres {
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

/** PostgreSQL as configured: the server of DATABASE_URL, or our own child process. The caller holds DATA_DIR's lock. */
export const openPostgres = async (config: Config, logger: Logger, entities: Entities): Promise<OpenPostgres> => {
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, logger });
  try {
    const dataSource = await connect(config.databaseUrl ?? embedded!.url, entities);
    return {
      dataSource,
      close: async () => {
        if (dataSource.isInitialized) await dataSource.destroy();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
};

export const connect = async (url: URL, entities: Entities): Promise<DataSource> => {
  const dataSource = await postgresDataSource(url, entities).initialize();
  surviveLostConnections(pgPool(dataSource));
  return dataSource;
};
