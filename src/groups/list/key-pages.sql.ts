import { type PageRequest } from '../../platform/http/newest-first.js';
import { microsOf, momentOfMicros } from '../../platform/postgres/micros.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type GroupsFilter } from './groups.query.js';

const conditionOf = (projectId: number, { typeIndex, actor }: GroupsFilter): PgSql =>
  joinedSql(
    [
      pgSql`g.project_id = ${bound(projectId)}`,
      pgSql`g.group_type_index = ${bound(typeIndex)}`,
      ...(actor === null ? [] : [pgSql`g.actor = ${bound(actor)}::bigint`]),
    ],
    pgSql` AND `,
  );

/** Selects the positions of a page, newest first; backwards before a cursor. */
export const keyPageSql = (projectId: number, filter: GroupsFilter, { limit, offset, cursor }: PageRequest): PgSql => {
  const isBefore = cursor?.direction === 'before';
  const order = isBefore ? pgSql`g.created_at, g.id` : pgSql`g.created_at DESC, g.id DESC`;
  const beyond = cursor
    ? pgSql` AND (g.created_at, g.id) ${isBefore ? pgSql`>` : pgSql`<`} (${momentOfMicros(cursor.key[0])}, ${bound(cursor.key[1])}::bigint)`
    : pgSql``;
  return pgSql`
    SELECT g.id, ${microsOf(pgSql`g.created_at`)} AS micros FROM groups AS g
    WHERE ${conditionOf(projectId, filter)}${beyond}
    ORDER BY ${order} LIMIT ${bound(limit + 1)} OFFSET ${bound(cursor ? 0 : offset)}`;
};

export const keyCountSql = (projectId: number, filter: GroupsFilter): PgSql =>
  pgSql`SELECT count(*) AS count FROM groups AS g WHERE ${conditionOf(projectId, filter)}`;
