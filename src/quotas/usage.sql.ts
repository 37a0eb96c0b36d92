import { dayOf, nextDay } from '../events/ingest/quota/event-days.js';
import { type Quotas } from '../projects/quotas/quotas.js';
import { quotasColumn } from '../projects/quotas/quota-rows.js';
import { bound, joinedSql, pgSql, type PgSql } from '../stores/postgres/sql.js';

/** What a project may have, and has. */
export interface UsageRow {
  readonly id: number;
  readonly quotas: Quotas;
  readonly used: Readonly<Record<keyof Quotas, number>>;
}

const countedToday = (now: Date): PgSql =>
  pgSql`(SELECT coalesce(sum(d.events), 0) FROM event_days d WHERE d.project_id = p.id AND d.day = ${bound(dayOf(now))}::date)`;

/** The arrivals of the last minutes have the events that are not yet part of the count of their day. */
const uncountedToday = (now: Date): PgSql => pgSql`
  (SELECT coalesce(sum(a.uncounted), 0) FROM arrivals a WHERE a.project_id = p.id
    AND a.received_at >= ${bound(`${dayOf(now)}T00:00:00Z`)} AND a.received_at < ${bound(nextDay(now))})`;

const select = (events: PgSql): PgSql => pgSql`
  SELECT p.id, ${quotasColumn} AS quotas,
    json_build_object('events_per_day', ${events},
      'cohorts', (SELECT count(*) FROM cohorts c WHERE c.project_id = p.id AND NOT c.deleted),
      'members', (SELECT count(*) FROM project_members m WHERE m.project_id = p.id)) AS used
  FROM projects p`;

export const usageSql = (projectId: number, now: Date): PgSql => pgSql`
  ${select(pgSql`${countedToday(now)} + ${uncountedToday(now)}`)}
  WHERE p.id = ${bound(projectId)} AND p.deleted_at IS NULL`;

const anyQuota = joinedSql(
  [pgSql`p.quota_events_per_day IS NOT NULL`, pgSql`p.quota_cohorts IS NOT NULL`, pgSql`p.quota_members IS NOT NULL`],
  pgSql` OR `,
);

/** Of the first projects that have a quota. Those with a quota of events have no events that are not counted. */
export const usagesSql = (most: number, now: Date): PgSql =>
  pgSql`${select(countedToday(now))} WHERE p.deleted_at IS NULL AND (${anyQuota}) ORDER BY p.id LIMIT ${bound(most)}`;
