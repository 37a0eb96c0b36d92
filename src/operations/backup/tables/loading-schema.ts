import { type ClientBase } from 'pg';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { type PatientPool } from '../../../platform/postgres/patient-pool.js';
import { Postgres, type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { BackupFault } from '../destinations/destination.js';

/** A restore loads into this schema, which no service reads, and moves the tables out of it when it has all rows. */
export const loadingSchema = 'kohort_restore';

/** Tables of the loading schema that record finished steps, in the transactions of the steps. No backup contains them. */
export const bookkeeping = ['loaded_files', 'later_definitions'];

/** In effect no limit, because statements about whole tables may take long. */
const patienceMs = 30 * 86_400_000;

export const atLeisure = async (client: ClientBase): Promise<void> => {
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
};

/** Runs a statement of any length. */
const slowly = (client: ClientBase, text: string): Promise<unknown> =>
  client.query({ text, query_timeout: patienceMs } as pg.QueryConfig);

/** Keeps the schema that a killed restore of the same backup has left. Makes a new one if there is none, or another backup's. */
export const openLoadingSchema = async (postgres: Postgres, seal: string): Promise<void> => {
  const { rows } = await postgres.query<{ seal: string | null }>(
    pgSql`SELECT obj_description(oid, 'pg_namespace') AS seal FROM pg_namespace WHERE nspname = ${bound(loadingSchema)}`,
  );
  if (rows[0]?.seal === seal) return;
  await postgres.transaction(async (client) => {
    await atLeisure(client);
    await client.query(`DROP SCHEMA IF EXISTS ${loadingSchema} CASCADE`);
    await client.query(`CREATE SCHEMA ${loadingSchema}`);
    await client.query(`COMMENT ON SCHEMA ${loadingSchema} IS ${pg.escapeLiteral(seal)}`);
    await client.query(
      `CREATE TABLE ${loadingSchema}.loaded_files (file text PRIMARY KEY, table_name text NOT NULL, rows bigint NOT NULL)`,
    );
    await client.query(
      `CREATE TABLE ${loadingSchema}.later_definitions
         (id serial PRIMARY KEY, is_reference boolean NOT NULL, definition text NOT NULL, is_done boolean NOT NULL DEFAULT false)`,
    );
  });
};

/** Connections that see the tables of this schema only. */
export const connectToLoadingSchema = async (
  dataSource: DataSource,
): Promise<{ postgres: Postgres; dataSource: DataSource }> => {
  const { extra } = dataSource.options as { extra?: object };
  const options = { ...dataSource.options, extra: { ...extra, options: `-c search_path=${loadingSchema}` } };
  const loading = await new DataSource(options).initialize();
  const { master } = loading.driver as unknown as { readonly master: PatientPool };
  const postgres = new Postgres(master, 'BEGIN');
  const { rows } = await postgres.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  if (rows[0]?.schema === loadingSchema) return { postgres, dataSource: loading };
  await loading.destroy();
  throw new BackupFault(
    'DATABASE_URL names a pooler or a search_path, so a restore cannot load beside the database: name PostgreSQL itself, without options',
  );
};

/**
 * Drops indexes and keys of large tables, and all references, and records how to make them again. An index is built faster from
 * all rows than row by row, and without references tables can be loaded in any order. Small tables keep their indexes and keys.
 */
export const takeOffIndexes = (postgres: Postgres, largeTables: readonly string[]): Promise<void> =>
  postgres.transaction(async (client) => {
    const { rows: recorded } = await client.query('SELECT FROM later_definitions LIMIT 1');
    if (recorded.length > 0) return;
    const large = pgSql`t.relname = ANY (${bound(largeTables)}::text[])`;
    const { rows } = await client.query<{ table: string; name: string; kind: string; definition: string }>(pgSql`
      SELECT t.relname::text AS table, c.conname::text AS name, CASE c.contype WHEN 'f' THEN 'reference' ELSE 'key' END AS kind,
        format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) AS definition
      FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
      WHERE t.relnamespace = current_schema()::regnamespace AND (c.contype = 'f' OR c.contype IN ('p', 'u') AND ${large})
      UNION ALL
      SELECT t.relname::text, i.relname::text, 'index', pg_get_indexdef(i.oid)
      FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
      WHERE t.relnamespace = current_schema()::regnamespace AND ${large}
        AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.oid AND c.contype IN ('p', 'u', 'x'))
      ORDER BY kind DESC, name`);
    for (const { table, name, kind, definition } of rows) {
      await client.query(
        pgSql`INSERT INTO later_definitions (is_reference, definition) VALUES (${bound(kind === 'reference')}, ${bound(definition)})`,
      );
      const quoted = pg.escapeIdentifier(name);
      await client.query(
        kind === 'index'
          ? `DROP INDEX ${quoted}`
          : `ALTER TABLE ${pg.escapeIdentifier(table)} DROP CONSTRAINT ${quoted}`,
      );
    }
  });

const sortMemory = '128MB';

/** Makes the recorded indexes and keys on `atOnce` connections, then the references, which need the keys. */
export const putOnIndexes = async (postgres: Postgres, atOnce: number): Promise<void> => {
  for (const isReference of [false, true]) {
    const { rows } = await postgres.query<{ id: number; definition: string }>(
      pgSql`SELECT id, definition FROM later_definitions WHERE NOT is_done AND is_reference = ${bound(isReference)} ORDER BY id`,
    );
    // One reference at a time: those of two tables to the same third table would wait for each other.
    await inParallel(rows, isReference ? 1 : atOnce, ({ id, definition }) =>
      postgres.transaction(async (client) => {
        await atLeisure(client);
        await client.query(`SET LOCAL maintenance_work_mem = '${sortMemory}'`);
        await slowly(client, definition);
        await client.query(pgSql`UPDATE later_definitions SET is_done = true WHERE id = ${bound(id)}`);
      }),
    );
  }
};

/** Waits for all started work before it throws, so that nothing goes on afterwards. */
export const inParallel = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const remaining = items.values();
  let failure: { readonly error: unknown } | null = null;
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of remaining) {
      if (failure) return;
      await work(item).catch((error: unknown) => (failure ??= { error }));
    }
  });
  await Promise.all(workers);
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
};

export const tablesIn = async (postgres: Queryable, schema: string | null = null): Promise<string[]> => {
  const { rows } = await postgres.query<{ name: string }>(
    pgSql`SELECT table_name::text AS name FROM information_schema.tables
      WHERE table_schema = coalesce(${bound(schema)}, current_schema()) AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  return rows.map(({ name }) => name);
};

/** Moves the tables to the schema of the service, in place of its empty ones. The service keeps its tables named in `stay`. */
export const moveLoadedTables = async (client: ClientBase, stay: readonly string[]): Promise<void> => {
  const there = await tablesIn(client);
  const loaded = (await tablesIn(client, loadingSchema)).filter((name) => !bookkeeping.includes(name));
  const stays = (name: string): boolean => stay.includes(name) && there.includes(name);
  const { rows } = await client.query<{ schema: string }>('SELECT current_schema() AS schema');
  const schema = pg.escapeIdentifier(rows[0]?.schema ?? 'public');
  for (const name of there.filter((table) => loaded.includes(table) && !stays(table)))
    await client.query(`DROP TABLE ${pg.escapeIdentifier(name)} CASCADE`);
  for (const name of loaded.filter((table) => !stays(table)))
    await client.query(`ALTER TABLE ${loadingSchema}.${pg.escapeIdentifier(name)} SET SCHEMA ${schema}`);
  await client.query(`DROP SCHEMA ${loadingSchema} CASCADE`);
};

/** Gathers statistics, without which the first statements of the service would read whole tables. */
export const analyse = async ({ pool }: Postgres): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await slowly(client, 'ANALYZE');
    await client.query('RESET statement_timeout');
  } finally {
    client.release();
  }
};
