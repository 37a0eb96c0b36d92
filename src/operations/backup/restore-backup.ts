import { type ClientBase } from 'pg';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { tableWithRows } from '../../kernel/projection/identity/found-contents.js';
import { giveUpRebuilds } from '../../kernel/projection/identity/recorded-identity.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { copyTableIn, type CopiedTable } from '../../platform/postgres/copy-table.js';
import { knownMigrations, migratePostgresTo, underMigrationLock } from '../../kernel/stores/migrate.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type BackedUpTable, type Manifest, type Part, type ReadBackup } from './files/manifest.js';
import { loadArchivedEvents } from './archived-events.js';
import { rowsOf } from './files/parts.js';
import { BackupFault } from './destinations/destination.js';
import { requestAllBy } from './request-contents.js';
import { withColumns } from './tables/copied-tables.js';
import {
  analyse,
  atLeisure,
  bookkeeping,
  connectToLoadingSchema,
  inParallel,
  moveLoadedTables,
  openLoadingSchema,
  putOnIndexes,
  tablesIn,
  takeOffIndexes,
} from './tables/loading-schema.js';

interface Target {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
}

/** Throws if the backup has a migration that this release does not know. */
export const assertKnownMigrations = ({ destination, manifest }: ReadBackup): void => {
  const unknown = manifest.migrations.find((name) => !knownMigrations.includes(name));
  if (unknown !== undefined)
    throw new BackupFault(
      `${destination.name} was made by a newer release (version ${manifest.version}, migration ${unknown}): restore it with that release or a later one`,
    );
};

/** Call it before anything is written. The database may have the tables of a service that has started, but no rows in them. */
export const assertEmptyPostgres = async ({ postgres }: Target, { manifest }: ReadBackup): Promise<void> => {
  const tables = await tablesIn(postgres);
  if (tables.length === 0) return;
  const stranger = tables.includes('migrations') ? undefined : tables[0];
  if (stranger !== undefined)
    throw new BackupFault(
      `the PostgreSQL database is not empty, and has the table ${stranger}: a restore needs an empty database`,
    );
  await assertNoRows(postgres, tables);
  const { rows } = await postgres.query<{ name: string }>('SELECT name FROM migrations');
  const newer = rows.find(({ name }) => !manifest.migrations.includes(name));
  if (newer)
    throw new BackupFault(
      `the PostgreSQL database has a newer schema than the backup (migration ${newer.name}): a restore needs an empty database`,
    );
};

const findMs = 10_000;

export const assertEmptyClickHouse = async (clickhouse: ClickHouse): Promise<void> => {
  const { exists } = await clickhouse.find(findMs);
  const name = exists ? await tableWithRows(clickhouse) : null;
  if (name !== null)
    throw new BackupFault(`the ClickHouse database is not empty, and has ${name}: a restore needs an empty database`);
};

/**
 * Loads the backup into a schema that no service sees, and moves the tables to the schema of the service in one transaction: a
 * restore that is killed shows no row, and continues when it is run again. The same transaction requests a rebuild of the
 * projection, so that the next start fills ClickHouse if this process does not.
 */
export const loadBackup = async (
  { postgres, dataSource }: Target,
  backup: ReadBackup,
  onPart: (done: number, all: number) => void,
): Promise<number> => {
  const { manifest, seal } = backup;
  await loadArchivedEvents(backup);
  // A service that has started on the empty database has made tables, some of which stay: bring them to the backup's schema.
  if ((await tablesIn(postgres)).length > 0) await migratePostgresTo(dataSource, manifest.migrations);
  await explainingRights(() => openLoadingSchema(postgres, seal));
  const loading = await connectToLoadingSchema(dataSource);
  try {
    await migratePostgresTo(loading.dataSource, manifest.migrations);
    await takeOffIndexes(loading.postgres, largeTables(manifest));
    await loadParts(loading.postgres, backup, onPart);
    await putOnIndexes(loading.postgres, connections);
    await setSequences(loading.postgres, manifest);
    await analyse(loading.postgres);
  } finally {
    await loading.dataSource.destroy();
  }
  await postgres.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0');
    const tables = await tablesIn(client);
    if (tables.length > 0) await lock(client, tables);
    await assertNoRows(client, tables);
    await moveLoadedTables(client, mayHaveRows);
    await requestAllBy(client);
    await client.query(`COMMENT ON TABLE migrations IS ${pg.escapeLiteral(restoredFrom(seal))}`);
  });
  return rowsOfTables(manifest);
};

/** The connections that load at a time: one for each processor of a small machine. */
const connections = 2;
const manyRows = 10_000;

const largeTables = ({ tables }: Manifest): string[] =>
  tables.filter(({ rows }) => rows > manyRows).map(({ name }) => name);

const rowsOfTables = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const restoredFrom = (seal: string): string => `restored from ${seal}`;

/** True if a restore has loaded all rows of this backup, and was killed before ClickHouse had them. */
export const isLoaded = async (postgres: Queryable, { seal }: ReadBackup): Promise<boolean> => {
  const { rows } = await postgres.query<{ from: string | null }>(
    `SELECT obj_description(to_regclass('migrations'), 'pg_class') AS from`,
  );
  return rows[0]?.from === restoredFrom(seal);
};

/** Loads the backup unless a killed restore has loaded it. A process that starts meanwhile waits for the lock. */
export const loadOnce = (
  stores: Target,
  backup: ReadBackup,
  onPart: (done: number, all: number) => void,
): Promise<void> =>
  underMigrationLock(stores.dataSource, async () => {
    const { postgres } = stores;
    if (!(await isLoaded(postgres, backup))) await loadBackup(stores, backup, onPart);
    else await postgres.transaction((client) => giveUpRebuilds(client, new Date(), 'The restore was killed'));
  });

/** Removes the note that the database was restored, once ClickHouse is filled too. */
export const forgetRestore = async (postgres: Queryable): Promise<void> => {
  await postgres.query('COMMENT ON TABLE migrations IS NULL');
};

const insufficientPrivilege = '42501';

const explainingRights = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== insufficientPrivilege) throw error;
    throw new BackupFault(
      'the user of DATABASE_URL may not make a schema, into which a restore loads: run GRANT CREATE ON DATABASE … TO … as the owner of the database',
      { cause: error },
    );
  });

/** Tables that have rows in an empty database, too: from the migrations, or from a process that has started on it. */
const mayHaveRows = ['migrations', 'leases', 'projection_state'];

const assertNoRows = async (postgres: Queryable, tables: readonly string[]): Promise<void> => {
  for (const name of tables.filter((table) => !mayHaveRows.includes(table))) {
    const { rows } = await postgres.query(`SELECT FROM ${pg.escapeIdentifier(name)} LIMIT 1`);
    if (rows.length > 0)
      throw new BackupFault(
        `the PostgreSQL database is not empty, and has rows in ${name}: a restore needs an empty database`,
      );
  }
};

/** A service that starts meanwhile must not write before these tables are replaced. */
const lock = async (client: ClientBase, tables: readonly string[]): Promise<void> => {
  const names = tables.map((name) => pg.escapeIdentifier(name));
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
};

const loadParts = async (
  postgres: Postgres,
  backup: ReadBackup,
  onPart: (done: number, all: number) => void,
): Promise<void> => {
  const { tables } = backup.manifest;
  // The rows of `later_definitions` are run as statements, and must not come from a backup.
  const names = tables.map(({ name }) => name).filter((name) => !bookkeeping.includes(name));
  const known = new Map((await withColumns(postgres, names)).map((table) => [table.name, table]));
  for (const table of tables) assertColumns(table, known.get(table.name));
  const { rows: loaded } = await postgres.query<{ file: string }>('SELECT file FROM loaded_files');
  const isThere = new Set(loaded.map(({ file }) => file));
  const all = tables.flatMap((table) => table.parts.map((part) => ({ table, part })));
  let done = isThere.size;
  await inParallel(
    all.filter(({ part }) => !isThere.has(part.file)),
    connections,
    async ({ table, part }) => {
      await loadPart(postgres, backup, table, part);
      onPart((done += 1), all.length);
    },
  );
  await assertRows(postgres, tables);
};

/** Loads the rows of a part, and records in the same transaction that they are loaded. */
const loadPart = (postgres: Postgres, backup: ReadBackup, table: BackedUpTable, part: Part): Promise<void> =>
  postgres.transaction(async (client) => {
    await atLeisure(client);
    const position = { isFirst: part === table.parts[0], isLast: part === table.parts.at(-1) };
    const rows = await copyTableIn(client, table, wholeStream(rowsOf(backup, [part]), position));
    await client.query(
      pgSql`INSERT INTO loaded_files (file, table_name, rows) VALUES (${bound(part.file)}, ${bound(table.name)}, ${bound(rows)})`,
    );
  });

/** The start of a binary stream of COPY: signature, flags and the length of the extension. */
const streamStart = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const streamEnd = Buffer.from([0xff, 0xff]);

/** Parts are cut between two rows, so each of them becomes a complete stream with the start and the end that it lacks. */
const wholeStream = async function* (
  rows: AsyncIterable<Buffer>,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): AsyncGenerator<Buffer> {
  if (!isFirst) yield streamStart;
  yield* rows;
  if (!isLast) yield streamEnd;
};

const assertRows = async (postgres: Postgres, tables: readonly BackedUpTable[]): Promise<void> => {
  const { rows } = await postgres.query<{ name: string; rows: string }>(
    'SELECT table_name AS name, sum(rows) AS rows FROM loaded_files GROUP BY table_name',
  );
  const loaded = new Map(rows.map((table) => [table.name, Number(table.rows)]));
  for (const { name, rows: expected } of tables) {
    const found = loaded.get(name) ?? 0;
    if (found !== expected) throw new Error(`${name} has ${found} rows, the manifest says ${expected}`);
  }
};

const assertColumns = ({ name, columns }: BackedUpTable, known: CopiedTable | undefined): void => {
  const missing = known ? columns.find((column) => !known.columns.includes(column)) : name;
  if (missing !== undefined) throw new BackupFault(`this release has no ${missing} of the table ${name} in the backup`);
};

const setSequences = async (postgres: Queryable, { sequences }: Manifest): Promise<void> => {
  for (const { name, value } of sequences) {
    await postgres.query(
      pgSql`SELECT setval(quote_ident(${bound(name)})::regclass, ${bound(value)}::bigint)
        WHERE to_regclass(quote_ident(${bound(name)})) IS NOT NULL`,
    );
  }
};
