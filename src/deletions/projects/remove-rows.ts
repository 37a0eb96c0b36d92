import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { topology } from '../../platform/postgres/topology.js';
import { tenantTables, type TenantTable } from './tenant-tables.js';

export interface RemovedPiece {
  readonly removed: number;
  /** The key of the last row, as text, where the next piece begins. */
  readonly last: string | null;
}

/**
 * Begins at a key, because PostgreSQL would read all rows that were removed before once more for each piece, until it has
 * cleaned the table up. Rows with that key are part of the piece: a key may have more rows than one piece.
 */
const removeSome = (
  { table: tenantTable, key, type }: TenantTable,
  projectId: number,
  from: string | null,
  limit: number,
): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH chosen AS (
      SELECT ctid AS place, ${key} AS key FROM ${tenantTable}
      WHERE project_id = ${project} ${from === null ? pgSql`` : pgSql`AND ${key} >= ${bound(from)}::${type}`}
      ORDER BY project_id, ${key} LIMIT ${bound(limit)}
    ), removed AS (
      DELETE FROM ${tenantTable} WHERE project_id = ${project} AND ctid = ANY (ARRAY(SELECT place FROM chosen)) RETURNING 1
    )
    SELECT (SELECT count(*) FROM removed)::integer AS removed,
      (SELECT key::text FROM chosen ORDER BY key DESC LIMIT 1) AS last`;
};

const removeByKeys = async (
  client: ClientBase,
  { table: tenantTable, key, type }: TenantTable,
  projectId: number,
  limit: number,
): Promise<RemovedPiece> => {
  const project = bound(projectId);
  const { rows } = await client.query<{ key: string }>(
    pgSql`SELECT DISTINCT ${key}::text AS key FROM ${tenantTable} WHERE project_id = ${project} LIMIT ${bound(limit)}`,
  );
  const keys = bound(rows.map((row) => row.key));
  const { rowCount } = await client.query(
    pgSql`DELETE FROM ${tenantTable} WHERE project_id = ${project} AND ${key} = ANY (${keys}::text[]::${type}[])`,
  );
  return { removed: rowCount ?? 0, last: null };
};

/** Removes up to `limit` rows of a deleted project from a table, in the order of their keys. */
export const removeRows = async (
  client: ClientBase,
  name: string,
  projectId: number,
  from: string | null,
  limit: number,
): Promise<RemovedPiece> => {
  const table = tenantTables[name];
  if (!table) throw new Error(`${name} is no table of projects`);
  if (!topology().removesByPosition(name)) return removeByKeys(client, table, projectId, limit);
  const { rows } = await client.query<RemovedPiece>(removeSome(table, projectId, from, limit));
  return rows[0] as RemovedPiece;
};

/** The tables that have rows of the project. */
export const tablesWithRows = async (postgres: Queryable, projectId: number): Promise<string[]> => {
  const project = bound(projectId);
  const looks = Object.entries(tenantTables).map(
    ([name, { table }]) =>
      pgSql`SELECT ${bound(name)}::text AS name WHERE EXISTS (SELECT 1 FROM ${table} WHERE project_id = ${project})`,
  );
  const { rows } = await postgres.query<{ name: string }>(joinedSql(looks, pgSql` UNION ALL `));
  return rows.map(({ name }) => name);
};
