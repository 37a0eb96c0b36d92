import { type ClientBase } from 'pg';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { tableWithRows } from '../projection/identity/found-contents.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { copyTableIn, type CopiedTable } from '../stores/postgres/copy-table.js';
import { knownMigrations, migratePostgresTo } from '../stores/postgres/migrate.js';
import { type Postgres, type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql } from '../stores/postgres/sql.js';
import { type BackedUpTable, type Manifest, type ReadBackup } from './files/manifest.js';
import { BackupFault } from './places/backup-fault.js';
import { loadArchivedEvents } from './archived-events.js';
import { rowsOf } from './files/parts.js';
import { requestAllBy } from './request-contents.js';
import { inOrderOfReferences, withColumns } from './tables/copied-tables.js';

interface Target {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
}

/** A release can restore a backup whose migrations it knows. */
export const demandKnownMigrations = ({ place, manifest }: ReadBackup): void => {
  const unknown = manifest.migrations.find((name) => !knownMigrations.includes(name));
  if (unknown !== undefined)
    throw new BackupFault(
      `${place.name} was made by a newer release (version ${manifest.version}, migration ${unknown}): restore it with that release or a later one`,
    );
};

/** Call it before anything is written. The tables of a restore that was killed may be there, without rows. */
export const demandEmptyPostgres = async ({ postgres }: Target, { manifest }: ReadBackup): Promise<void> => {
  const tables = await tablesThere(postgres);
  if (tables.length === 0) return;
  const stranger = tables.includes('migrations') ? undefined : tables[0];
  if (stranger !== undefined)
    throw new BackupFault(
      `the PostgreSQL database is not empty, and has the table ${stranger}: a restore needs an empty database`,
    );
  await demandNoRows(postgres, tables);
  const { rows } = await postgres.query<{ name: string }>('SELECT name FROM migrations');
  const newer = rows.find(({ name }) => !manifest.migrations.includes(name));
  if (newer)
    throw new BackupFault(
      `the PostgreSQL database has a newer schema than the backup (migration ${newer.name}): a restore needs an empty database`,
    );
};

const findMs = 10_000;

export const demandEmptyClickHouse = async (clickhouse: ClickHouse): Promise<void> => {
  const { exists } = await clickhouse.find(findMs);
  const name = exists ? await tableWithRows(clickhouse) : null;
  if (name !== null)
    throw new BackupFault(`the ClickHouse database is not empty, and has ${name}: a restore needs an empty database`);
};

/**
 * Loads the backup in one transaction: a restore that is killed leaves no row. The same transaction requests the rebuild of the
 * projection, so that the next start fills ClickHouse when this process does not.
 */
export const loadBackup = async (
  { postgres, dataSource }: Target,
  backup: ReadBackup,
  onTable: (done: number, all: number) => void,
): Promise<number> => {
  const { manifest } = backup;
  await loadArchivedEvents(backup);
  await migratePostgresTo(dataSource, manifest.migrations);
  const rows = await postgres.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await lockAll(client);
    await demandNoRows(client, await tablesThere(client));
    const loaded = await loadTables(client, backup, onTable);
    await setSequences(client, manifest);
    await requestAllBy(client);
    return loaded;
  });
  await analyse(postgres);
  return rows;
};

const tablesThere = async (postgres: Queryable): Promise<string[]> => {
  const { rows } = await postgres.query<{ name: string }>(
    pgSql`SELECT table_name::text AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  return rows.map(({ name }) => name);
};

/** What the schema itself has, and what a process that has started on an empty database holds. */
const mayHaveRows = ['migrations', 'leases', 'projection_state'];

const demandNoRows = async (postgres: Queryable, tables: readonly string[]): Promise<void> => {
  for (const name of tables.filter((table) => !mayHaveRows.includes(table))) {
    const { rows } = await postgres.query(`SELECT FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rows.length === 0) continue;
    if (await isBeingRebuilt(postgres))
      throw new BackupFault(
        'the PostgreSQL database is not empty. If a restore was killed while it filled ClickHouse, all rows are there: run `npm run cli -- projection rebuild`, then start the service. Otherwise name an empty database',
      );
    throw new BackupFault(
      `the PostgreSQL database is not empty, and has rows in ${name}: a restore needs an empty database`,
    );
  }
};

const isBeingRebuilt = async (postgres: Queryable): Promise<boolean> => {
  const { rows } = await postgres.query(
    `SELECT FROM projection_rebuilds WHERE phase IN ('requested', 'copying', 'draining', 'swapping') LIMIT 1`,
  );
  return rows.length > 0;
};

/** A service that starts meanwhile must not write between these rows. */
const lockAll = async (client: ClientBase): Promise<void> => {
  const names = (await tablesThere(client)).map((name) => pg.escapeIdentifier(name));
  await client.query(`LOCK TABLE ${names.join(', ')} IN EXCLUSIVE MODE`);
};

const loadTables = async (
  client: ClientBase,
  backup: ReadBackup,
  onTable: (done: number, all: number) => void,
): Promise<number> => {
  const { tables } = backup.manifest;
  const known = new Map(
    (
      await withColumns(
        client,
        tables.map(({ name }) => name),
      )
    ).map((table) => [table.name, table]),
  );
  const order = await inOrderOfReferences(client, [...known.keys()]);
  const sorted = [...tables].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  let [loaded, done] = [0, 0];
  for (const table of sorted) {
    demandColumns(table, known.get(table.name));
    const rows = await copyTableIn(client, table, rowsOf(backup, table.parts));
    if (rows !== table.rows) throw new Error(`${table.name} has ${rows} rows, the manifest says ${table.rows}`);
    loaded += rows;
    onTable((done += 1), tables.length);
  }
  return loaded;
};

const demandColumns = ({ name, columns }: BackedUpTable, known: CopiedTable | undefined): void => {
  const missing = known ? columns.find((column) => !known.columns.includes(column)) : name;
  if (missing !== undefined) throw new BackupFault(`this release has no ${missing} of the table ${name} in the backup`);
};

const setSequences = async (client: ClientBase, { sequences }: Manifest): Promise<void> => {
  for (const { name, value } of sequences) {
    await client.query(
      pgSql`SELECT setval(quote_ident(${bound(name)})::regclass, ${bound(value)}::bigint)
        WHERE to_regclass(quote_ident(${bound(name)})) IS NOT NULL`,
    );
  }
};

/** Without statistics the first statements of the service would read whole tables. */
const analyse = async ({ pool }: Postgres): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('ANALYZE');
    await client.query('RESET statement_timeout');
  } finally {
    client.release();
  }
};
