import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config } from '../../platform/config/config.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { sql } from '../../platform/clickhouse/sql.js';
import { spoolFolder } from '../../platform/postgres/embedded/archive/archive.js';
import { clusterIn } from '../../platform/postgres/embedded/cluster.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { pgSql } from '../../platform/postgres/sql.js';

export interface DataBytes {
  readonly stores: ReadonlyMap<string, number>;
  /** Of the disk of DATA_DIR. */
  readonly disk: ReadonlyMap<'size' | 'free', number>;
}

/** Measures the embedded stores on the disk of DATA_DIR. Servers have operators and metrics of their own. */
export const dataBytes = async (
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

/** With what waits for the archive. */
const logBytes = async (dataDir: string): Promise<number> => {
  const cluster = await clusterIn(dataDir);
  const folders = [join(cluster.folder, 'pg_wal'), spoolFolder(cluster)];
  return (await Promise.all(folders.map(fileBytes))).reduce((sum, bytes) => sum + bytes, 0);
};

/** Of the files of a folder. They come and go. */
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
