import { type Sql, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type MemberColumn } from './member-column.js';

/** Selects each person of the project under its id and its uuid, and under the ids of persons that were merged into it. */
const namedByPersonId = (projectId: number): Sql => sql`
  SELECT p.id AS id, arrayJoin([toString(p.id), toString(p.uuid)]) AS name FROM persons AS p FINAL
  WHERE p.project_id = ${unsigned(projectId)}
  UNION ALL
  SELECT r.target AS id, toString(r.source) AS name FROM person_redirects AS r FINAL
  WHERE r.project_id = ${unsigned(projectId)} AND r.target != 0`;

const namedByDistinctId = (projectId: number): Sql => sql`
  SELECT p.id AS id, arrayJoin(p.distinct_ids) AS name FROM persons AS p FINAL
  WHERE p.project_id = ${unsigned(projectId)}`;

const uuid = sql`'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/**
 * Selects each person that a column of a question names, once, as `id`. A uuid that no person has now may be that of a merged
 * person, which only PostgreSQL knows: it becomes a row of its own, with 0 as `id`. Other values name no person.
 */
const selectedPersons = (projectId: number, question: Sql, { name, kind }: MemberColumn): Sql =>
  kind === 'person_id'
    ? sql`SELECT DISTINCT n.id AS id, if(n.id = 0, s.name, '') AS uuid
        FROM (${namedByPersonId(projectId)}) AS n
        GLOBAL ANY RIGHT JOIN (
          SELECT DISTINCT ifNull(lower(toString(q.${name})), '') AS name FROM (${question}) AS q
        ) AS s ON s.name = n.name
        WHERE n.id != 0 OR match(s.name, ${uuid})`
    : sql`SELECT DISTINCT id, '' AS uuid FROM (${namedByDistinctId(projectId)})
        WHERE name GLOBAL IN (SELECT toString(q.${name}) FROM (${question}) AS q)`;

/** Selects each group of a type that a column of a question names, once. */
export const selectedGroupsSql = (
  projectId: number,
  groupType: number,
  question: Sql,
  { name, kind }: MemberColumn,
  most: number,
): Sql => sql`
  SELECT g.id AS id, '' AS uuid FROM groups AS g FINAL
  WHERE g.project_id = ${unsigned(projectId)} AND g.group_type_index = ${unsigned(groupType)}
    AND ${kind === 'group_id' ? sql`toString(g.id)` : sql`g.key`} GLOBAL IN (
      SELECT ifNull(toString(q.${name}), '') FROM (${question}) AS q)
  ORDER BY id LIMIT ${unsigned(most)}`;

export const selectedPersonsSql = (projectId: number, question: Sql, column: MemberColumn, most: number): Sql => sql`
  SELECT id, uuid FROM (${selectedPersons(projectId, question, column)}) ORDER BY id, uuid LIMIT ${unsigned(most)}`;
