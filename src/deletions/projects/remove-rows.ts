import { type ClientBase } from 'pg';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { tenantTables } from './tenant-tables.js';

/** By their places in the table, so that it makes no difference what the key of the table is. */
const removeSome = (tenantTable: PgSql, projectId: number, limit: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    DELETE FROM ${tenantTable} WHERE project_id = ${project} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${tenantTable} WHERE project_id = ${project} LIMIT ${bound(limit)}))`;
};

/** Removes up to `limit` rows of a deleted project from a table, and returns their number. */
export const removeRows = async (
  client: ClientBase,
  table: PgSql,
  projectId: number,
  limit: number,
): Promise<number> => {
  const { rowCount } = await client.query(removeSome(table, projectId, limit));
  return rowCount ?? 0;
};

/** The tables that have rows of the project. */
export const tablesWithRows = async (postgres: Queryable, projectId: number): Promise<string[]> => {
  const project = bound(projectId);
  const looks = Object.entries(tenantTables).map(
    ([name, table]) =>
      pgSql`SELECT ${bound(name)}::text AS name WHERE EXISTS (SELECT 1 FROM ${table} WHERE project_id = ${project})`,
  );
  const { rows } = await postgres.query<{ name: string }>(joinedSql(looks, pgSql` UNION ALL `));
  return rows.map(({ name }) => name);
};
