import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { noGroup } from './group-id.js';

/** A group as it is in PostgreSQL, with the name of its type. */
export interface StoredGroup {
  readonly id: string;
  /** The number of the group in questions. */
  readonly actor: string;
  readonly group_type_index: number;
  /** The name of the type. */
  readonly type: string;
  readonly key: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

/** `source` names the groups `g` of the project. */
export const groupsSql = (source: PgSql): PgSql => pgSql`
  SELECT g.id, g.actor::text, g.group_type_index, t.name AS type, g.key, g.properties, g.created_at
  FROM ${source}
  JOIN group_types AS t ON t.project_id = g.project_id AND t.group_type_index = g.group_type_index`;

const byId = (projectId: number, id: string): PgSql =>
  pgSql`${groupsSql(pgSql`groups AS g`)} WHERE g.project_id = ${bound(projectId)} AND g.id = ${bound(id)}::bigint`;

/** Throws 404 for an id that names no group of the project. */
export const requireGroup = async (reader: Queryable, projectId: number, id: string): Promise<StoredGroup> => {
  const { rows } = await reader.query<StoredGroup>(byId(projectId, id).named('group-by-id'));
  if (!rows[0]) throw noGroup(id);
  return rows[0];
};

/** Like `requireGroup`. Until the transaction ends, no other transaction can change the group. */
export const lockGroup = async (client: ClientBase, projectId: number, id: string): Promise<StoredGroup> => {
  const { rows } = await client.query<StoredGroup>(pgSql`${byId(projectId, id)} FOR UPDATE OF g`.named('group-lock'));
  if (!rows[0]) throw noGroup(id);
  return rows[0];
};

/** Deletes the row only: events keep the group that they name, and the next one that names it makes it again. */
export const deleteGroup = async (client: ClientBase, projectId: number, actor: string): Promise<void> => {
  await client.query(
    pgSql`DELETE FROM groups WHERE project_id = ${bound(projectId)} AND actor = ${bound(actor)}::bigint`,
  );
};
