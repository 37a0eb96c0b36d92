import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '../../platform/config/config.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { sql } from '../../platform/clickhouse/sql.js';
import { spoolFolder } from '../../platform/postgres/embedded/archive/archive.js';
import { clusterIn } from '../../platform/postgres/embedded/cluster.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { pgSql } from '../../platform/postgres/sql.js';
import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { sharedLook } from '../../platform/telemetry/shared-look.js';
import { BeingFilled, NotTheProjection } from '../../kernel/projection/identity/verdict.js';
import { type ServerState, readOnlyFault, serverState, unsafeSettings } from '../../platform/postgres/server-state.js';

interface DataBytes {
  readonly stores: ReadonlyMap<string, number>;
  /** The size and the free space of the disk of DATA_DIR. */
  readonly disk: ReadonlyMap<'size' | 'free', number>;
}

/** Measures the embedded stores on the disk of DATA_DIR. Servers have operators and metrics of their own. */
const dataBytes = async (
  { dataDir, databaseUrl, clickhouseUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'clickhouseUrl'>,
  postgres: Queryable,
  clickhouse: ClickHouse,
): Promise<DataBytes> => {
  const stores = new Map<string, number>();
  if (databaseUrl === null) {
    stores.set('postgres', await databaseBytes(postgres));
    stores.set('postgres_log', await logBytes(dataDir));
  }
  if (clickhouseUrl === null) stores.set('clickhouse', await partBytes(clickhouse));
  if (stores.size === 0) return { stores, disk: new Map() };
  const { blocks, bavail, bsize } = await statfs(dataDir);
  return {
    stores,
    disk: new Map([
      ['size', blocks * bsize],
      ['free', bavail * bsize],
    ]),
  };
};

const databaseBytes = async (postgres: Queryable): Promise<number> => {
  const { rows } = await postgres.query<{ bytes: string }>(pgSql`SELECT pg_database_size(current_database()) AS bytes`);
  return Number(rows[0]?.bytes);
};

/** The bytes of the write-ahead log, with the files that wait for the archive. */
const logBytes = async (dataDir: string): Promise<number> => {
  const cluster = await clusterIn(dataDir);
  const folders = [join(cluster.folder, 'pg_wal'), spoolFolder(cluster)];
  return (await Promise.all(folders.map(fileBytes))).reduce((sum, bytes) => sum + bytes, 0);
};

/** The bytes of the files of a folder. Files may disappear while they are counted. */
const fileBytes = async (folder: string): Promise<number> => {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => (file.isFile() ? file.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const partBytes = async (clickhouse: ClickHouse): Promise<number> => {
  const rows = await clickhouse.query<{ bytes: number }>(sql`SELECT sum(bytes_on_disk) AS bytes FROM system.parts`, {
    project: 'system',
    short: true,
  });
  return rows[0]?.bytes ?? 0;
};

const timeoutMs = 1500;
/** Sizes are measured at most this often, and not at each scrape, because files have to be read one by one. */
const sizesShareMs = 60_000;
const settings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

@Injectable()
export class StoreMetrics {
  constructor(config: Config, { registry }: Metrics, postgres: Postgres, clickhouse: ClickHouse) {
    const { pool } = postgres;
    new Gauge({
      name: 'kohort_postgres_fault',
      help: '1 while PostgreSQL takes no changes, or has a setting that lets a crash lose what was acknowledged',
      labelNames: ['fault'],
      registers: [registry],
      async collect() {
        // While PostgreSQL is away, the values stay.
        const state = await serverState(pool, timeoutMs).catch(() => null);
        if (state === null) return;
        for (const [fault, holds] of faultsIn(state)) this.set({ fault }, holds ? 1 : 0);
      },
    });
    new Gauge({
      name: 'kohort_clickhouse_fault',
      help: '1 while ClickHouse does not have the projection of this PostgreSQL, or has that of a newer release, or is being filled',
      labelNames: ['fault'],
      registers: [registry],
      async collect() {
        const { ownership } = clickhouse;
        // While PostgreSQL is away, the values stay.
        const faults = await Promise.all([ownership?.fault(), ownership?.faultOfWrites()]).catch(() => null);
        if (faults === null) return;
        this.set({ fault: 'not_ours' }, faults.some((fault) => fault instanceof NotTheProjection) ? 1 : 0);
        this.set({ fault: 'being_filled' }, faults.some((fault) => fault instanceof BeingFilled) ? 1 : 0);
      },
    });
    new Gauge({
      name: 'kohort_pool_connections',
      help: 'Connections of this process to a store that are used or idle, and statements that wait for one',
      labelNames: ['pool', 'state'],
      registers: [registry],
      async collect() {
        // Other gauges have just started statements, and each waits for a moment even if a connection is idle: count later.
        await yieldToEventLoop();
        const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
        for (const [name, use] of [
          ['postgres', { used: totalCount - idle, idle, waiting }] as const,
          ...clickhouse.poolUse,
        ])
          for (const [state, number] of Object.entries(use)) this.set({ pool: name, state }, number as number);
      },
    });
    // While a store is away, the values stay.
    const sizes = sharedLook(() => dataBytes(config, postgres, clickhouse), sizesShareMs);
    new Gauge({
      name: 'kohort_data_bytes',
      help: 'What the embedded stores take on the disk of DATA_DIR',
      labelNames: ['store'],
      registers: [registry],
      async collect() {
        for (const [store, bytes] of (await sizes())?.stores ?? []) this.set({ store }, bytes);
      },
    });
    new Gauge({
      name: 'kohort_disk_bytes',
      help: 'Size and free space of the disk of DATA_DIR, where a store is embedded',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        for (const [state, bytes] of (await sizes())?.disk ?? []) this.set({ state }, bytes);
      },
    });
  }
}

const faultsIn = (state: ServerState): readonly (readonly [string, boolean])[] => {
  const unsafe = unsafeSettings(state);
  return [
    ['read_only', readOnlyFault(state) !== null],
    ...settings.map((setting) => [setting, unsafe.has(setting)] as const),
  ];
};
