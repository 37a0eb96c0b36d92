import { type DataSource } from 'typeorm';
import { ConfigError, type Config } from '../../platform/config/config.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { memoryShares } from '../../platform/config/memory-shares.js';
import { postgresDataSource, type Entities } from './data-source.js';
import { commitDurably, durableBegin } from '../../platform/postgres/durable-commit.js';
import { distributionOf } from '../../platform/postgres/citus/distribute.js';
import { citusTopology } from '../../platform/postgres/citus/citus-topology.js';
import { useConfiguredArchive } from '../../platform/objects/event-archive.js';
import { type PatientPool } from '../../platform/postgres/patient-pool.js';
import { surviveLostConnections } from '../../platform/postgres/silence-watch.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { assertPreparedStatements } from '../../platform/postgres/prepared-statements.js';
import {
  durabilityFault,
  mustNotBeOff,
  readOnlyFault,
  serverState,
  unsafeSettings,
} from '../../platform/postgres/server-state.js';
import { pgSql } from '../../platform/postgres/sql.js';
import { oneServer, useTopology } from '../../platform/postgres/topology.js';
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/server.js';
import { explaining } from '../../platform/embedded/data-dir-faults.js';
import { databaseUrlFault, embeddedPostgresFault } from './start-faults.js';

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
  const { databaseUrl, dataDir, databasePoolSize, allowUnsafeDatabase } = config;
  useConfiguredArchive(config);
  if (!databaseUrl) return explaining(() => openEmbedded(config, logger, entities), embeddedPostgresFault(dataDir));
  const options = { poolSize: databasePoolSize, allowUnsafe: allowUnsafeDatabase };
  const connected = await connectToServer(databaseUrl, entities, options);
  try {
    await refuseUnsafe(connected.postgres, config, logger);
    await warnOfFewConnections(connected.postgres, databasePoolSize, logger);
  } catch (error) {
    await closeConnections(connected);
    throw error;
  }
  return { ...connected, close: () => closeConnections(connected) };
};

/**
 * Refuses a server that may lose commits, unless ALLOW_UNSAFE_DATABASE allows it. A read-only server only causes a warning: it
 * may soon replace its primary, so the service waits for it.
 */
const refuseUnsafe = async ({ pool }: Postgres, { allowUnsafeDatabase }: Config, logger: Logger): Promise<void> => {
  const state = await serverState(pool);
  const unsafe = unsafeSettings(state);
  const refusal = allowUnsafeDatabase ? null : durabilityFault(mustNotBeOff(unsafe));
  if (refusal !== null)
    throw new ConfigError(`DATABASE_URL: ${refusal}, or ALLOW_UNSAFE_DATABASE=1 if that loss is acceptable`);
  for (const fault of [durabilityFault(unsafe), readOnlyFault(state)]) if (fault !== null) logger.warn(fault);
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
    sharedPages: memoryShares(memoryBudget).postgresPages,
  });
  try {
    const connected = await connect(embedded.url, entities, { poolSize: databasePoolSize });
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

interface ConnectOptions {
  readonly poolSize?: number;
  /** The value of ALLOW_UNSAFE_DATABASE. */
  readonly allowUnsafe?: boolean;
}

/** Connects to the server of DATABASE_URL. */
export const connectToServer = (url: URL, entities: Entities, options?: ConnectOptions): Promise<ConnectedPostgres> =>
  explaining(async () => {
    const connected = await connect(url, entities, options);
    try {
      await assertPreparedStatements(connected.pool);
    } catch (error) {
      await closeConnections(connected);
      throw error;
    }
    return connected;
  }, databaseUrlFault(url));

export const connect = async (
  url: URL,
  entities: Entities,
  { poolSize, allowUnsafe = false }: ConnectOptions = {},
): Promise<ConnectedPostgres> => {
  let pool: PatientPool | undefined;
  const onPool = (made: PatientPool) => {
    surviveLostConnections(made);
    if (!allowUnsafe) commitDurably(made);
    pool = made;
  };
  const dataSource = await postgresDataSource(url, entities, { onPool, poolSize }).initialize();
  if (!pool) throw new Error('TypeORM has not made a pool of connections');
  const postgres = new Postgres(pool, allowUnsafe ? 'BEGIN' : durableBegin);
  await postgres.clock.start();
  useTopology((await distributionOf(postgres))?.isStarted ? citusTopology : oneServer);
  return { postgres, pool, dataSource };
};

/** Warns at the start, because a pool fills only under load, and the server would refuse the last connections then. */
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
