import { ConfigError } from '../../config/config.js';
import { type Postgres, type Queryable } from '../postgres.js';
import { bound, pgSql } from '../sql.js';
import { placementOf, type Placement } from './placements.js';

/** The first table to distribute. The rows of a project in all other tables are placed on the same node as in this one. */
const first = 'persons';

interface TableState {
  readonly name: string;
  /** The placement that the table has in Citus now. */
  readonly placed: Placement;
  readonly column: string | null;
  readonly colocation: string | null;
}

interface ForeignKey {
  readonly table: string;
  readonly target: string;
  /** Statements that PostgreSQL itself has composed. */
  readonly drop: string;
  readonly add: string;
}

export interface Distribution {
  /** True if any table is distributed already. */
  readonly isStarted: boolean;
  /** The tables that still have to be placed. */
  readonly missing: readonly { readonly table: string; readonly placement: Placement }[];
  /** Tables that are distributed otherwise than the service needs. */
  readonly wrong: readonly string[];
  /** True if connections have the settings that the service needs. */
  readonly isSet: boolean;
}

/** Compares the tables in Citus with the placement that the service needs. Returns null if PostgreSQL has no Citus. */
export const distributionOf = async (postgres: Queryable): Promise<Distribution | null> => {
  const { rows: extensions } = await postgres.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (extensions.length === 0) return null;
  const tables = await tablesOf(postgres);
  const placed = tables.filter(({ placed: now }) => now !== 'coordinator');
  const home = tables.find(({ name }) => name === first)?.colocation ?? null;
  return {
    isStarted: placed.length > 0,
    missing: tables
      .filter(({ name, placed: now }) => now === 'coordinator' && placementOf(name) !== 'coordinator')
      .map(({ name }) => ({ table: name, placement: placementOf(name) }))
      .sort((a, b) => rank(a) - rank(b)),
    wrong: placed.flatMap((table) => faultOf(table, home)),
    isSet: await isSet(postgres),
  };
};

/**
 * `sequential`: a statement for several nodes uses one connection to each. With more, each would have its own snapshot, and Citus
 * would refuse to write to a reference table in the same transaction. `force_custom_plan`: Citus finds the node by the values.
 */
const settings = { 'citus.multi_shard_modify_mode': 'sequential', plan_cache_mode: 'force_custom_plan' };

const isSet = async (postgres: Queryable): Promise<boolean> => {
  const { rows } = await postgres.query<{ name: string; value: string }>(
    pgSql`SELECT name, setting AS value FROM pg_settings WHERE name = ANY (${bound(Object.keys(settings))}::text[])`,
  );
  const now = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.entries(settings).every(([name, value]) => now.get(name) === value);
};

/** Sets the settings for connections that are opened from now on. */
const setForDatabase = async (client: Queryable): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(
    pgSql`SELECT format('ALTER DATABASE %I SET %s TO %L', current_database(), name, value) AS statement
      FROM json_each_text(${bound(JSON.stringify(settings))}::json) AS setting (name, value)`,
  );
  for (const { statement } of rows) await client.query(statement);
};

const rank = ({ table, placement }: { table: string; placement: Placement }): number =>
  placement === 'reference' ? 0 : table === first ? 1 : 2;

const faultOf = ({ name, placed, column, colocation }: TableState, home: string | null): string[] => {
  const meant = placementOf(name);
  if (placed !== meant) return [`${name} is ${placed}, must be ${meant}`];
  if (placed === 'reference') return [];
  if (column !== 'project_id') return [`${name} is distributed by ${column}, must be by project_id`];
  return colocation === home ? [] : [`${name} is not on the same nodes as ${first}`];
};

const tablesOf = async (postgres: Queryable): Promise<TableState[]> => {
  const { rows } = await postgres.query<TableState>(pgSql`
    SELECT c.relname AS name, t.distribution_column AS column, t.colocation_id::text AS colocation,
      CASE t.citus_table_type WHEN 'distributed' THEN 'distributed' WHEN 'reference' THEN 'reference' ELSE 'coordinator' END AS placed
    FROM pg_class AS c LEFT JOIN citus_tables AS t ON t.table_name = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname`);
  return rows;
};

const foreignKeys = async (postgres: Queryable): Promise<ForeignKey[]> => {
  const { rows } = await postgres.query<ForeignKey>(pgSql`
    SELECT r.relname AS table, t.relname AS target,
      format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS add
    FROM pg_constraint AS k JOIN pg_class AS r ON r.oid = k.conrelid JOIN pg_class AS t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace
    ORDER BY k.conrelid, k.conname`);
  return rows;
};

/**
 * Distributes the missing tables in the transaction of the caller: all of them or none. Foreign keys are dropped first and added
 * again at the end: Citus would manage a table that refers to a reference table, and such a table cannot have an identity column.
 */
export const distribute = async (client: Queryable, distribution: Distribution): Promise<void> => {
  const { missing } = distribution;
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
  const moved = new Set(missing.map(({ table }) => table));
  const keys = (await foreignKeys(client)).filter(({ table, target }) => moved.has(table) || moved.has(target));
  for (const { drop } of keys) await client.query(drop);
  for (const { table, placement } of missing) {
    const name = bound(`public.${table}`);
    if (placement === 'reference') await client.query(pgSql`SELECT create_reference_table(${name}::text::regclass)`);
    else if (table === first)
      await client.query(pgSql`SELECT create_distributed_table(${name}::text::regclass, 'project_id')`);
    else
      await client.query(
        pgSql`SELECT create_distributed_table(${name}::text::regclass, 'project_id', colocate_with => ${bound(first)})`,
      );
  }
  for (const { add } of keys) await client.query(add);
  await client.query(`INSERT INTO project_gates (project_id, deleted_at, quota_events_per_day)
    SELECT id, deleted_at, quota_events_per_day FROM projects ON CONFLICT DO NOTHING`);
  if (!distribution.isSet) await setForDatabase(client);
};

/**
 * Distributes new tables; call it after migrations, under their lock. Throws if tables are distributed in another way than the
 * service needs, because statements would fail, or read the rows of only one node.
 */
export const distributeNewTables = async (postgres: Postgres): Promise<void> => {
  const distribution = await distributionOf(postgres);
  if (!distribution) return;
  const { isStarted, isSet, missing, wrong } = distribution;
  if (!isStarted || !isSet)
    throw new ConfigError(
      'DATABASE_URL: the database has the extension citus, but its tables are not distributed, or connections lack the settings that this needs. Mend both: npm run cli -- citus distribute',
    );
  if (wrong.length > 0)
    throw new ConfigError(
      `DATABASE_URL: Citus has tables otherwise than the service needs them (${wrong.join('; ')}). Undo it: SELECT undistribute_table(...)`,
    );
  if (missing.length > 0) await postgres.transaction((client) => distribute(client, distribution));
};
