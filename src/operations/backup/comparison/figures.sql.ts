import { memberRowsSql } from '../../../kernel/memberships/members.sql.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../../kernel/projection/actors.sql.js';
import { storableInstant } from '../../../kernel/projection/cargo/cargo.js';
import { projectedDistinctIds } from '../../../kernel/projection/cargo/identity.cargo.js';
import { staticCohortVersion } from '../../../kernel/projection/cargo/cohorts.cargo.js';
import { type Sql, day, instant, join, sql, unsigned } from '../../../platform/clickhouse/sql.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** The calendar days in UTC from the first to the last, both included. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/*
 * Both stores hash the same text of a row, and add the hashes: the sum does not depend on the order of rows, and a duplicate row
 * changes it. PostgreSQL's sum is exact, ClickHouse's is modulo 2^64.
 */
const postgresHash = (hashed: PgSql): PgSql => pgSql`('x' || substr(md5(${hashed}), 1, 16))::bit(64)::bigint`;
const clickhouseHash = (parts: readonly Sql[]): Sql =>
  sql`reinterpretAsInt64(reverse(substring(MD5(concat(${join(parts, sql`, '|', `)})), 1, 8)))`;

const postgresDay = (instantText: PgSql): PgSql => pgSql`left(${instantText}, 10)`;
const postgresMs = (instantText: PgSql): PgSql =>
  pgSql`(extract(epoch FROM ${instantText}::timestamptz) * 1000)::bigint`;
const clickhouseDay = (column: Sql): Sql => sql`toString(toDate32(${column}))`;
const clickhouseMs = (column: Sql): Sql => sql`toString(toUnixTimestamp64Milli(${column}))`;

/** The actor of an event without a person: the same number as `profilelessActor` makes in ClickHouse. */
const profileless = pgSql`-(('x' || left(encode(sha256(convert_to(e.project_id || ':' || e.distinct_id, 'UTF8')), 'hex'), 16))::bit(64)::bigint
  & 9223372036854775807) - 1`;

const withinDays = (days: readonly string[] | null, column: PgSql): PgSql =>
  days === null ? pgSql`` : pgSql`WHERE ${column} = ANY (${bound(days)}::text[])`;

/** The events of each day that arrived up to a moment, with the actor to whom they belong now. */
export const loggedEventFigures = (
  projectId: number,
  receivedUpTo: Date,
  days: readonly string[] | null,
): PgSql => pgSql`
  SELECT l.day, count(*) AS count, sum(${postgresHash(pgSql`
    e.uuid || '|' || ${postgresMs(pgSql`l.at`)} || '|' || coalesce(d.person_id, ${profileless}) || '|' || octet_length(e.event)
      || '|' || e.event || '|' || e.distinct_id`)})::text AS hash
  FROM (SELECT *, ${storableInstant(pgSql`timestamp`)} AS stored_at FROM events
    WHERE project_id = ${bound(projectId)} AND received_at <= ${bound(receivedUpTo)}) AS e
  CROSS JOIN LATERAL (SELECT e.stored_at AS at, ${postgresDay(pgSql`e.stored_at`)} AS day) AS l
  LEFT JOIN person_distinct_ids AS d ON d.project_id = ${bound(projectId)} AND d.distinct_id = e.distinct_id
  ${withinDays(days, pgSql`l.day`)} GROUP BY l.day`;

/** The number of events that ClickHouse has of each day. It decides which days one statement of `projectedEvents` reads. */
export const projectedDays = (projectId: number, receivedUpTo: Date): Sql => sql`
  SELECT ${clickhouseDay(sql`timestamp`)} AS day, count() AS count FROM events
  WHERE project_id = ${unsigned(projectId)} AND received_at <= ${instant(receivedUpTo)} GROUP BY day ORDER BY day`;

export const projectedEvents = (projectId: number, receivedUpTo: Date, { first, last }: Days): Sql => sql`
  SELECT ${clickhouseDay(sql`e.timestamp`)} AS day, count() AS count, toString(sum(${clickhouseHash([
    sql`toString(e.uuid)`,
    clickhouseMs(sql`e.timestamp`),
    sql`toString(${resolvedActor()})`,
    sql`toString(length(e.event))`,
    sql`e.event`,
    sql`e.distinct_id`,
  ])})) AS hash
  FROM ${eventsFrom(projectId)}
  WHERE ${eventsOfProject(projectId)} AND e.received_at <= ${instant(receivedUpTo)}
    AND toDate32(e.timestamp) BETWEEN ${day(first)} AND ${day(last)}
  GROUP BY day`;

/** The persons by the day of their creation. */
export const storedPersons = (projectId: number, days: readonly string[] | null): PgSql => pgSql`
  SELECT l.day, count(*) AS count, sum(${postgresHash(pgSql`
    p.id || '|' || p.uuid || '|' || ${postgresMs(pgSql`p.stored_at`)} || '|' || p.is_identified::integer || '|'
      || least(coalesce(d.ids, 0), ${bound(projectedDistinctIds)}::integer)`)})::text AS hash
  FROM (SELECT *, ${storableInstant(pgSql`created_at`)} AS stored_at FROM persons WHERE project_id = ${bound(projectId)}) AS p
  CROSS JOIN LATERAL (SELECT ${postgresDay(pgSql`p.stored_at`)} AS day) AS l
  LEFT JOIN (SELECT person_id, count(*) AS ids FROM person_distinct_ids WHERE project_id = ${bound(projectId)} GROUP BY person_id) AS d
    ON d.person_id = p.id
  ${withinDays(days, pgSql`l.day`)} GROUP BY l.day`;

export const projectedPersons = (projectId: number): Sql => sql`
  SELECT ${clickhouseDay(sql`created_at`)} AS day, count() AS count, toString(sum(${clickhouseHash([
    sql`toString(id)`,
    sql`toString(uuid)`,
    clickhouseMs(sql`created_at`),
    sql`toString(toUInt8(is_identified))`,
    sql`toString(length(distinct_ids))`,
  ])})) AS hash
  FROM persons FINAL WHERE project_id = ${unsigned(projectId)} AND is_deleted = 0 GROUP BY day`;

/** The groups by the day of their creation. */
export const storedGroups = (projectId: number, days: readonly string[] | null): PgSql => pgSql`
  SELECT l.day, count(*) AS count, sum(${postgresHash(pgSql`
    g.actor || '|' || g.id || '|' || g.group_type_index || '|' || ${postgresMs(pgSql`g.stored_at`)} || '|' || g.key`)})::text AS hash
  FROM (SELECT *, ${storableInstant(pgSql`created_at`)} AS stored_at FROM groups WHERE project_id = ${bound(projectId)}) AS g
  CROSS JOIN LATERAL (SELECT ${postgresDay(pgSql`g.stored_at`)} AS day) AS l
  ${withinDays(days, pgSql`l.day`)} GROUP BY l.day`;

export const projectedGroups = (projectId: number): Sql => sql`
  SELECT ${clickhouseDay(sql`created_at`)} AS day, count() AS count, toString(sum(${clickhouseHash([
    sql`toString(actor)`,
    sql`toString(id)`,
    sql`toString(group_type_index)`,
    clickhouseMs(sql`created_at`),
    sql`key`,
  ])})) AS hash
  FROM groups FINAL WHERE project_id = ${unsigned(projectId)} AND is_deleted = 0 GROUP BY day`;

/** A static cohort; `group_type_index` as the table has it. */
export interface ComparedCohort {
  readonly id: number;
  readonly group_type_index: number | null;
}

export const staticCohorts = (projectId: number): PgSql => pgSql`
  SELECT id, group_type_index FROM cohorts WHERE project_id = ${bound(projectId)} AND is_static AND NOT deleted`;

/** Static cohorts and their members, in the order of the cohorts. */
export const storedMembers = (projectId: number): PgSql => pgSql`
  SELECT c.id, count(m.member) AS count,
    coalesce(sum(${postgresHash(pgSql`c.id || '|' || m.member`)}), 0)::text AS hash
  FROM cohorts AS c
  LEFT JOIN (
    SELECT cohort_id, person_id AS member FROM static_cohort_members WHERE project_id = ${bound(projectId)}
    UNION ALL
    SELECT cohort_id, group_id FROM static_cohort_groups WHERE project_id = ${bound(projectId)}
  ) AS m ON m.cohort_id = c.id
  WHERE c.project_id = ${bound(projectId)} AND c.is_static AND NOT c.deleted GROUP BY c.id ORDER BY c.id`;

export const projectedMembers = (projectId: number, cohorts: readonly ComparedCohort[]): Sql => sql`
  SELECT cohort_id AS id, count() AS count, toString(sum(${clickhouseHash([sql`toString(cohort_id)`, sql`toString(actor)`])})) AS hash
  FROM (${memberRowsSql(
    projectId,
    cohorts.map(({ id, group_type_index: groupType }) => ({ id, version: staticCohortVersion, groupType })),
  )}) GROUP BY id`;

/** A project that only ClickHouse knows has rows that should not be there. */
export const projectedProjects = sql`
  SELECT DISTINCT project_id AS id FROM events UNION DISTINCT
  SELECT DISTINCT project_id AS id FROM persons FINAL WHERE is_deleted = 0 UNION DISTINCT
  SELECT DISTINCT project_id AS id FROM groups FINAL WHERE is_deleted = 0`;
