import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { unsigned } from '../../stores/clickhouse/values.js';
import { type MemberColumn } from './member-column.js';

/** The persons of the project under each of their ids, with those that were merged into them. */
const namedByPersonId = (projectId: number): Sql => sql`
  SELECT p.id AS id, arrayJoin([toString(p.id), toString(p.uuid)]) AS name FROM persons AS p FINAL
  WHERE p.project_id = ${unsigned(projectId)}
  UNION ALL
  SELECT r.target AS id, toString(r.source) AS name FROM person_redirects AS r FINAL
  WHERE r.project_id = ${unsigned(projectId)} AND r.target != 0`;

const namedByDistinctId = (projectId: number): Sql => sql`
  SELECT p.id AS id, arrayJoin(p.distinct_ids) AS name FROM persons AS p FINAL
  WHERE p.project_id = ${unsigned(projectId)}`;

/** Each person that a column of a question names, once. Other values name no person. */
const selectedPersons = (projectId: number, question: Sql, { name, kind }: MemberColumn): Sql =>
  kind === 'person_id'
    ? sql`SELECT DISTINCT id FROM (${namedByPersonId(projectId)})
        WHERE name GLOBAL IN (SELECT lower(toString(q.${name})) FROM (${question}) AS q)`
    : sql`SELECT DISTINCT id FROM (${namedByDistinctId(projectId)})
        WHERE name GLOBAL IN (SELECT toString(q.${name}) FROM (${question}) AS q)`;

export const selectedPersonsSql = (projectId: number, question: Sql, column: MemberColumn, most: number): Sql => sql`
  SELECT id FROM (${selectedPersons(projectId, question, column)}) ORDER BY id LIMIT ${unsigned(most)}`;

export const selectedSampleSql = (projectId: number, question: Sql, column: MemberColumn): Sql => sql`
  SELECT count() AS count, arrayMap(id -> toString(id), groupArraySorted(10)(id)) AS sample
  FROM (${selectedPersons(projectId, question, column)})`;
