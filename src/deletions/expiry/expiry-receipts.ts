import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { type ExpiryRun } from './expiry-run.entity.js';

export interface ExpiryReceipt extends Readonly<
  Pick<
    ExpiryRun,
    | 'projectId'
    | 'id'
    | 'state'
    | 'startedAt'
    | 'ttlDays'
    | 'ttlDaysByName'
    | 'countedFrom'
    | 'receivedUpTo'
    | 'eventsDeleted'
    | 'eventsLeft'
    | 'verifiedAt'
    | 'error'
  >
> {
  readonly events: readonly { readonly event: string; readonly count: number }[];
}

const mostNames = 100;

const receiptColumns = pgSql`project_id AS "projectId", id, state, started_at AS "startedAt", ttl_days AS "ttlDays",
  ttl_days_by_name AS "ttlDaysByName", counted_from AS "countedFrom", received_up_to AS "receivedUpTo",
  events_deleted AS "eventsDeleted", events_left AS "eventsLeft", verified_at AS "verifiedAt", error`;

const eventsOf = (projectId: PgSql): PgSql => pgSql`
  SELECT coalesce(jsonb_agg(jsonb_build_object('event', named.event, 'count', named.deleted)
    ORDER BY named.deleted DESC, named.event), '[]') AS events
  FROM (
    SELECT event, deleted FROM expiry_run_events
    WHERE project_id = ${projectId} AND expiry_run_id = r.id ORDER BY deleted DESC, event LIMIT ${bound(mostNames)}
  ) AS named`;

/** Returns the receipts of a project, newest first. */
export const expiryReceipts = async (
  postgres: Queryable,
  projectId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ExpiryReceipt[]> => {
  const project = bound(projectId);
  const { rows } = await postgres.query<ExpiryReceipt>(
    pgSql`SELECT r.*, named.events FROM (
       SELECT ${receiptColumns} FROM expiry_runs WHERE project_id = ${project}
       ORDER BY started_at DESC, id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}
     ) AS r CROSS JOIN LATERAL (${eventsOf(pgSql`${project}`)}) AS named ORDER BY r."startedAt" DESC, r.id DESC`,
  );
  return rows;
};

export const countExpiryReceipts = async (postgres: Queryable, projectId: number): Promise<number> => {
  const { rows } = await postgres.query<{ number: string }>(
    pgSql`SELECT count(*) AS number FROM expiry_runs WHERE project_id = ${bound(projectId)}`,
  );
  return Number(rows[0]?.number);
};

/** Returns the newest receipts of all projects, for operators. */
export const newestExpiryReceipts = async (postgres: Queryable, limit: number): Promise<ExpiryReceipt[]> => {
  const { rows } = await postgres.query<ExpiryReceipt>(
    pgSql`SELECT r.*, named.events FROM (
       SELECT e.* FROM projects p CROSS JOIN LATERAL (
         SELECT ${receiptColumns} FROM expiry_runs WHERE project_id = p.id ORDER BY started_at DESC, id DESC LIMIT ${bound(limit)}
       ) AS e ORDER BY e."startedAt" DESC, e.id DESC LIMIT ${bound(limit)}
     ) AS r CROSS JOIN LATERAL (${eventsOf(pgSql`r."projectId"`)}) AS named ORDER BY r."startedAt" DESC, r.id DESC`,
  );
  return rows;
};
