import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
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

/** The columns of a receipt, from the row `r` of `expiry_runs`. */
const receiptColumns = pgSql`r.project_id AS "projectId", r.id, r.state, r.started_at AS "startedAt", r.ttl_days AS "ttlDays",
  r.ttl_days_by_name AS "ttlDaysByName", r.counted_from AS "countedFrom", r.received_up_to AS "receivedUpTo",
  r.events_deleted AS "eventsDeleted", r.events_left AS "eventsLeft", r.verified_at AS "verifiedAt", r.error`;

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
    pgSql`SELECT ${receiptColumns}, (${eventsOf(pgSql`${project}`)}) AS events
     FROM expiry_runs r WHERE r.project_id = ${project}
     ORDER BY r.started_at DESC, r.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
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
    pgSql`SELECT ${receiptColumns}, (${eventsOf(pgSql`r.project_id`)}) AS events
     FROM projects p JOIN expiry_runs r ON r.project_id = p.id
     ORDER BY r.started_at DESC, r.id DESC LIMIT ${bound(limit)}`,
  );
  return rows;
};
