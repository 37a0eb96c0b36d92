import { type DataSource } from 'typeorm';
import { type CopiedTable } from '../../../platform/postgres/copy-table.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';

/** Tables that a backup does not contain, with the reason. All others are copied whole. */
export const notCopied: Readonly<Record<string, string>> = {
  arrivals: 'names transactions of one server, and is kept for ten minutes',
  unsealed_events: 'is a queue of work that a walk along the restored log does, too',
  sealing_walks: 'makes the restored log be walked from its beginning',
  leases: 'says which processes work now',
  outbox: 'says what ClickHouse lacks, and a restore fills ClickHouse anew',
  node_outbox: 'the same, on the nodes of Citus',
  project_gates: 'is made anew of projects where Citus needs it',
  outbox_replay: 'the same, while the projection is rebuilt',
  shipments: 'the same, for what is on its way',
  projection_rebuilds: 'a restore makes a request of its own',
  projection_state: 'says how far one ClickHouse is, and a restore fills another one',
  cookieless_salts: 'has the keys of the present day, which nothing may outlive',
  rate_windows: 'counts requests of the present minutes',
  migrations: 'a restore runs the migrations that the manifest names',
};

/** The tables of all entities except those that are left out, in the order of their names. */
export const copiedTableNames = ({ entityMetadatas }: Pick<DataSource, 'entityMetadatas'>): string[] =>
  entityMetadatas
    .map(({ tableName }) => tableName)
    .filter((name) => !Object.hasOwn(notCopied, name))
    .sort();

/** The tables with their columns, except generated ones, which cannot be written. */
export const withColumns = async (postgres: Queryable, names: readonly string[]): Promise<CopiedTable[]> => {
  const { rows } = await postgres.query<{ name: string; columns: string[] }>(pgSql`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY (${bound(names)}::text[]) AND is_generated = 'NEVER'
    GROUP BY table_name ORDER BY table_name`);
  return rows;
};
