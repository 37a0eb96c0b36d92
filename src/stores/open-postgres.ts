import { type DataSource } from 'typeorm';
import { type Config } from '../config/config.js';
import { type Logger } from '../common/logging/logger.js';
import { memoryShares } from '../common/memory-shares.js';
import { postgresDataSource, type Entities } from './postgres/data-source.js';
import { durabilityFault } from './postgres/durability.js';
import { distributionOf } from './postgres/citus/distribute.js';
import { workOnCitus } from './postgres/citus/on-citus.js';
import { useConfiguredArchive } from './objects/event-archive.js';
import { type PatientPool } from './postgres/patient-pool.js';
import { surviveLostConnections } from './postgres/pool.js';
import { Postgres } from './postgres/postgres.js';
import { pgSql } from './postgres/sql.js';
import { startEmbeddedPostgres } from './postgres/embedded/server.js';
import { databaseUrlFault, embeddedPostgresFault, explaining } from './start-faults.js';

interface ConnectedPostgres {
  readonly postgres: Postgres;
  readonly pool: PatientPool;
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
  const { databaseUrl, dataDir, databasePoolSize } = config;
  useConfiguredArchive(config);
  if (databaseUrl) {
    const connected = await connectToServer(databaseUrl, entities, databasePoolSize);
    await warnOfFewConnections(connected.postgres, databasePoolSize, logger);
    const fault = await durabilityFault(connected.postgres);
    if (fault !== null) logger.warn(fault);
    return { ...connected, close: () => closeConnections(connected) };
  }
  return explaining(() => openEmbedded(config, logger, entities), embeddedPostgresFault(dataDir));
};

const closeConnections = async ({ dataSource }: ConnectedPostgres): Promise<void> => {
  if (dataSource.isInitialized) await dataSource.destroy();
};

const openEmbedded = async (
  { dataDir, databasePoolSize, walArchive, memoryBudget }: Config,
  logger: Logger,
  entities: Entities,
): Promise<OpenPostgres> => {
  const embedded = await startEmbeddedPostgres({
    dataDir,
    logger,
    archive: walArchive,
    keptPages: memoryShares(memoryBudget).postgresPages,
  });
  try {
    const connected = await connect(embedded.url, entities, databasePoolSize);
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
export const connectToServer = (url: URL, entities: Entities, poolSize?: number): Promise<ConnectedPostgres> =>
  explaining(() => connect(url, entities, poolSize), databaseUrlFault(url));

export const connect = async (url: URL, entities: Entities, poolSize?: number): Promise<ConnectedPostgres> => {
  let pool: PatientPool | undefined;
  const onPool = (made: PatientPool) => {
    surviveLostConnections(made);
    pool = made;
  };
  const dataSource = await postgresDataSource(url, entities, { onPool, poolSize }).initialize();
  if (!pool) throw new Error('TypeORM has not made a pool of connections');
  const postgres = new Postgres(pool);
  await postgres.clock.start();
  workOnCitus((await distributionOf(postgres))?.isBegun === true);
  return { postgres, pool, dataSource };
};

/** A pool fills under load only, and then the server refuses the last connections. */
const warnOfFewConnections = async (postgres: Postgres, poolSize: number, logger: Logger): Promise<void> => {
  const { rows } = await postgres.query<{ most: number; others: number }>(pgSql`
    SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS most,
      (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS others`);
  const { most, others } = rows[0] ?? { most: Infinity, others: 0 };
  if (others + poolSize < most) return;
  logger.warn(
    `PostgreSQL takes ${most} connections and has ${others}: DATABASE_POOL_SIZE=${poolSize} may not fit; raise max_connections or lower it`,
  );
};
