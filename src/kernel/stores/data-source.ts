import pg, { type PoolConfig } from 'pg';
import { DataSource, type EntitySchema, type MixedList } from 'typeorm';
import { PgConnection } from '../../platform/postgres/connection.js';
import { inItsOwnTime } from '../../platform/postgres/in-its-own-time.js';
import { postgresMigrations } from './migrations/index.js';
import { serversOf } from '../../platform/config/database-url.js';
import { PatientPool } from '../../platform/postgres/patient-pool.js';
import { connectionTo, WritableServer } from '../../platform/postgres/writable-server.js';

export type Entities = MixedList<(new () => object) | EntitySchema>;

export interface DataSourceOptions {
  readonly poolSize?: number;
  /** Receives the pool of connections, which TypeORM creates and does not expose. */
  readonly onPool?: (pool: PatientPool) => void;
}

const reportedPool = (onPool: (pool: PatientPool) => void = () => undefined): typeof PatientPool =>
  class extends PatientPool {
    constructor(config?: PoolConfig) {
      super(config);
      onPool(this);
    }
  };

/** Detecting a dead database must fit into the 2 s within which callers are promised a 503. */
const connectTimeoutMs = 1500;

export const postgresDataSource = (url: URL, entities: Entities, options: DataSourceOptions = {}): DataSource => {
  const servers = serversOf(url);
  return new DataSource({
    type: 'postgres',
    driver: { ...pg, Pool: reportedPool(options.onPool) },
    url: servers[0].href,
    applicationName: 'kohort',
    entities: entities as (new () => object)[],
    migrations: postgresMigrations.map(inItsOwnTime),
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize ?? 16,
    connectTimeoutMS: connectTimeoutMs,
    extra: {
      servers: servers.length,
      Client: servers.length > 1 ? connectionTo(new WritableServer(servers)) : PgConnection,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      // A new connection costs a process of the server, which takes long on a busy machine.
      idleTimeoutMillis: 60_000,
      // Statements that do not depend on each other's answers are sent together.
      pipeline: true,
    },
  });
};
