import { type ClickHouse } from '../client.js';
import { ClickHouseMisconfigured } from '../errors.js';
import { type Sql, sql } from '../sql.js';
import { knownServers, knownTables } from './known-tables.sql.js';
import { table, type SchemaForm } from './table.js';

export interface Migration {
  version: number;
  name: string;
  /**
   * Each statement must be safe to run again (IF NOT EXISTS and the like), because ClickHouse has no transaction around
   * them.
   */
  statements: (form: SchemaForm) => readonly Sql[];
}

/** A newer release than this one has written the database. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

/** Brings the schema up to date. Returns the names of the migrations it ran. */
export const migrateClickHouse = async (
  client: ClickHouse,
  migrations: readonly Migration[],
  form: SchemaForm = client.form,
): Promise<string[]> => {
  checkOrder(migrations);
  const lack = form.cluster === null ? 'not known' : await lackOfTables(client, form);
  if (lack !== 'none')
    for (const statement of bookkeeping(await joining(client, form))) await client.command(statement);
  const applied = new Set(await appliedVersions(client));
  refuseNewer(applied, migrations);
  const pending = migrations.filter(({ version }) => lack === 'on some servers' || !applied.has(version));
  const joined = pending.length === 0 ? form : await joining(client, form);
  for (const migration of pending) await run(client, migration, joined);
  return pending.map(({ name }) => name);
};

/** Makes `schema_migrations` on a server that joined a cluster later, which otherwise cannot read the rows of other servers. */
export const shareBookkeeping = async (client: ClickHouse): Promise<void> => {
  const { form } = client;
  if (form.cluster === null || (await lackOfTables(client, form)) !== 'on some servers') return;
  for (const statement of bookkeeping(await joining(client, form))) await client.command(statement);
};

const bookkeeping = (form: SchemaForm): Sql[] =>
  table(form, {
    name: 'schema_migrations',
    columns: sql`version UInt32, name String, applied_at DateTime64(3, 'UTC')`,
    engine: 'ReplacingMergeTree',
    engineArguments: sql`applied_at`,
    orderBy: sql`version`,
    shardBy: sql`version`,
  });

type Lack = 'none' | 'on some servers' | 'not known';

/** Finds tables that servers lack: one that joined a cluster later has none, although all migrations are recorded as applied. */
const lackOfTables = async (client: ClickHouse, form: SchemaForm): Promise<Lack> => {
  const rows = await client.query<{ name: string; without: number }>(
    sql`SELECT name, (SELECT count() FROM ${knownServers(form)}) - count() AS without
      FROM ${knownTables(form)} WHERE NOT match(name, '_rebuild_|_trial') GROUP BY name`,
    { project: 'system' },
  );
  if (rows.some(({ without }) => without > 0)) return 'on some servers';
  return rows.some(({ name }) => name === 'schema_migrations') ? 'none' : 'not known';
};

interface KnownTable {
  readonly name: string;
  readonly uuids: readonly string[];
  readonly without: number;
}

/**
 * Returns the form with the UUIDs of existing tables, so that new replicas join them. Every server must answer: if the only one
 * that has a table were away, the next replica would start an empty table of its own.
 */
const joining = async (client: ClickHouse, form: SchemaForm): Promise<SchemaForm> => {
  if (form.cluster === null) return form;
  const rows = await client.query<KnownTable>(
    sql`SELECT name, groupUniqArray(uuid) AS uuids, (SELECT count() FROM ${knownServers(form)}) - count() AS without
      FROM ${knownTables(form, { all: true })}
      WHERE endsWith(name, '_local') AND NOT match(name, '_rebuild_|_trial') GROUP BY name`,
    { project: 'system' },
  );
  for (const { name, uuids, without } of rows)
    if (without > 0 && uuids.length > 1) throw new ClickHouseMisconfigured(between(name));
  return { ...form, uuids: new Map(rows.map(({ name, uuids: [uuid = ''] }) => [name, uuid])) };
};

const between = (name: string): string =>
  `${name} is not the same table on all servers, because a rebuild of the projection is not in place yet: take the new server out of the cluster until it is`;

const appliedVersions = async (client: ClickHouse): Promise<number[]> => {
  const rows = await client.query<{ version: number }>(
    sql`SELECT DISTINCT version FROM schema_migrations ORDER BY version`,
    { project: 'system' },
  );
  return rows.map(({ version }) => version);
};

const run = async (client: ClickHouse, { version, name, statements }: Migration, form: SchemaForm): Promise<void> => {
  for (const statement of statements(form)) await client.command(statement);
  await client.insert('schema_migrations', [{ version, name, applied_at: new Date() }]);
};

const checkOrder = (migrations: readonly Migration[]): void => {
  migrations.forEach(({ version, name }, at) => {
    if (version !== at + 1) throw new Error(`Migration ${name} has version ${version}, ${at + 1} was expected here`);
  });
};

const refuseNewer = (applied: ReadonlySet<number>, migrations: readonly Migration[]): void => {
  const newest = Math.max(0, ...applied);
  if (newest <= migrations.length) return;
  throw new SchemaTooNew(
    `The ClickHouse schema has version ${newest}, this release knows ${migrations.length}: start the newer release, or rebuild the projection in an empty database`,
  );
};
