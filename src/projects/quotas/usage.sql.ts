import { dayOf, nextDay } from '../../kernel/event-log/quota/event-days.js';
import { type Quotas } from '../../kernel/projects/quotas.js';
import { quotasColumn } from '../../kernel/projects/projects.repository.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { topology } from '../../platform/postgres/topology.js';

/** The quotas of a project and its use of them. */
export interface UsageRow {
  readonly id: number;
  readonly quotas: Quotas;
  readonly used: Readonly<Record<keyof Quotas, number>>;
}

const uncounted = (projectId: number, now: Date): PgSql =>
  topology().mayCountWrites
    ? pgSql`(SELECT coalesce(sum(a.uncounted), 0) FROM arrivals a WHERE a.project_id = ${bound(projectId)}
        AND a.received_at >= ${bound(`${dayOf(now)}T00:00:00Z`)} AND a.received_at < ${bound(nextDay(now))})`
    : pgSql`0`;

/**
 * Selects the use of a project. The events of the last minutes, which the count of their day does not contain yet, are counted
 * from the arrivals.
 */
export const usageSql = (projectId: number, now: Date): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT p.id, ${quotasColumn} AS quotas,
      json_build_object(
        'events_per_day', (
          SELECT coalesce(sum(d.events), 0) FROM event_days d WHERE d.project_id = ${project} AND d.day = ${bound(dayOf(now))}::date
        ) + ${uncounted(projectId, now)},
        'cohorts', (SELECT count(*) FROM cohorts c WHERE c.project_id = ${project} AND NOT c.deleted),
        'members', (SELECT count(*) FROM project_members m WHERE m.project_id = ${project})) AS used
    FROM projects p WHERE p.id = ${project} AND p.deleted_at IS NULL`;
};

const anyQuota = joinedSql(
  [pgSql`p.quota_events_per_day IS NOT NULL`, pgSql`p.quota_cohorts IS NOT NULL`, pgSql`p.quota_members IS NOT NULL`],
  pgSql` OR `,
);

/** Selects the first projects that have a quota. */
export const projectsWithQuotaSql = (most: number): PgSql => pgSql`
  SELECT p.id, ${quotasColumn} AS quotas FROM projects p
  WHERE p.deleted_at IS NULL AND (${anyQuota}) ORDER BY p.id LIMIT ${bound(most)}`;

export interface UsedRow {
  readonly id: number;
  readonly number: string;
}

/** Counts the use of several projects. Each quota has a statement of its own, which Citus sends to the nodes of the projects. */
export const countsSql = (projectIds: readonly number[], now: Date): Readonly<Record<keyof Quotas, PgSql>> => {
  const these = pgSql`project_id = ANY (${bound(projectIds)}::integer[])`;
  return {
    // The events of projects with a quota are counted at once, so no arrivals need to be added.
    events_per_day: pgSql`SELECT project_id AS id, sum(events) AS number FROM event_days
      WHERE ${these} AND day = ${bound(dayOf(now))}::date GROUP BY project_id`,
    cohorts: pgSql`SELECT project_id AS id, count(*) AS number FROM cohorts WHERE ${these} AND NOT deleted GROUP BY project_id`,
    members: pgSql`SELECT project_id AS id, count(*) AS number FROM project_members WHERE ${these} GROUP BY project_id`,
  };
};
