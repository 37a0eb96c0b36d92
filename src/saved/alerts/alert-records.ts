import { type ClientBase } from 'pg';
import { type Lease } from '../../platform/postgres/lease.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { isHeldUntil } from '../../platform/postgres/lease.js';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Alert, type AlertError } from './alert.entity.js';
import { tell } from './alert-mails.js';
import { changeOf } from './alert-rule.js';
import { decidedDto } from './alerts.repository.js';
import { graceMs, nextMoment, retryDelayMs, type Schedule } from './schedule.js';
import { type DecidedVerdict } from './watched-numbers.js';

export type DueAlert = Stored<Alert>;

export const alertLeaseName = ({ project_id, id }: Pick<DueAlert, 'project_id' | 'id'>): string =>
  `alert:${project_id}:${id}`;

/** The alert of each project that has waited longest. `running` has the lease names of the alerts that this process checks. */
const next = (now: Date, running: readonly string[], respectLeases: boolean): PgSql => pgSql`
  SELECT DISTINCT ON (a.project_id) a.* FROM alerts AS a
  JOIN projects AS p ON p.id = a.project_id AND p.deleted_at IS NULL
  WHERE a.next_attempt_at <= ${bound(now)} AND a.enabled
    AND NOT ('alert:' || a.project_id || ':' || a.id = ANY (${bound(running)}::text[]))
    AND NOT (${bound(respectLeases)} AND 'alert:' || a.project_id || ':' || a.id IN (
      SELECT l.name FROM leases AS l WHERE l.name LIKE 'alert:%' AND ${isHeldUntil(pgSql`l.expires_at`)}))
  ORDER BY a.project_id, a.next_attempt_at, a.id`;

export const nextAlerts = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<DueAlert[]> => (await postgres.query<DueAlert>(next(now, running, respectLeases).named('alerts-next'))).rows;

export const waitingAlerts = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(
    postgres,
    pgSql`SELECT next_attempt_at AS due_at FROM alerts WHERE enabled AND next_attempt_at IS NOT NULL`,
  );

const ofAlert = ({ project_id, id }: DueAlert): PgSql => pgSql`project_id = ${bound(project_id)} AND id = ${bound(id)}`;

/** Does `work` if the alert is as it was read, and passes on whether it fires. */
const record = (
  postgres: Postgres,
  lease: Lease,
  alert: DueAlert,
  work: (client: ClientBase, firing: boolean) => Promise<void>,
): Promise<boolean> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rows } = await client.query<{ firing: boolean }>(
      pgSql`SELECT firing FROM alerts WHERE ${ofAlert(alert)} AND enabled AND updated_at = ${bound(alert.updated_at)}
       AND due_moment = ${bound(alert.due_moment)} FOR UPDATE`,
    );
    if (!rows[0]) return false;
    await work(client, rows[0].firing);
    return true;
  });

const attemptAt = (moment: Date): Date => new Date(moment.getTime() + graceMs);

/**
 * Records what an interval has decided, together with what it changes and the notice of it. Returns the alert with its next
 * moment; null if another process or a change of the alert has come before.
 */
export const recordVerdict = async (
  postgres: Postgres,
  lease: Lease,
  alert: DueAlert,
  { decided, verdict }: DecidedVerdict,
  schedule: Schedule,
): Promise<DueAlert | null> => {
  const now = postgres.clock.now();
  const due = nextMoment(decided.moment, schedule);
  const isRecorded = await record(postgres, lease, alert, async (client, firing) => {
    const { value, compared, lower, upper, breached } = verdict;
    const change = changeOf(firing, breached);
    const { rowCount } = await client.query(
      pgSql`INSERT INTO alert_checks (project_id, alert_id, interval_start, value, compared, lower, upper, breached, change, checked_at)
       VALUES (${bound(alert.project_id)}, ${bound(alert.id)}, ${bound(decided.start)}, ${bound(value)}, ${bound(compared)},
         ${bound(lower)}, ${bound(upper)}, ${bound(breached)}, ${bound(change)}, ${bound(now)})
       ON CONFLICT (project_id, alert_id, interval_start) DO NOTHING`,
    );
    const isNew = rowCount !== 0;
    await client.query(
      pgSql`UPDATE alerts SET due_moment = ${bound(due)}, next_attempt_at = ${bound(attemptAt(due))}, error = NULL, failures = 0,
         last_checked_at = ${bound(now)}, firing = CASE WHEN ${bound(isNew)} THEN ${bound(breached)} ELSE firing END,
         last_notified_at = CASE WHEN ${bound(isNew && change !== null)} THEN ${bound(now)}::timestamptz ELSE last_notified_at END
       WHERE ${ofAlert(alert)}`,
    );
    if (!isNew || change === null) return;
    const { interval_start, calculated_value, ...shown } = decidedDto(decided.start, verdict, change);
    await tell(client, alert.project_id, alert.subscribed_users, {
      type: `alert.${change}`,
      // A change of the alert may decide an interval anew.
      key: `${alert.id} ${interval_start} ${alert.updated_at.toISOString()}`,
      data: {
        ...alertInNotice(alert),
        interval: { start: interval_start, end: decided.end.toISOString() },
        value: calculated_value,
        ...{ compared: shown.compared, lower, upper },
        ...(change === 'resolved' && { reason: 'value' }),
      },
      at: now,
    });
  });
  return isRecorded ? { ...alert, due_moment: due } : null;
};

/** Records that nothing was to be decided before a moment. */
export const recordNothingDue = (postgres: Postgres, lease: Lease, alert: DueAlert, due: Date): Promise<boolean> =>
  record(postgres, lease, alert, async (client) => {
    await client.query(
      pgSql`UPDATE alerts SET due_moment = ${bound(due)}, next_attempt_at = ${bound(attemptAt(due))} WHERE ${ofAlert(alert)}`,
    );
  });

/** Records that a check has failed: it is tried again, each time later. */
export const recordFailedCheck = (
  postgres: Postgres,
  lease: Lease,
  alert: DueAlert,
  error: AlertError,
): Promise<boolean> =>
  record(postgres, lease, alert, async (client) => {
    const now = postgres.clock.now();
    const delay = retryDelayMs(alert.failures);
    await client.query(
      pgSql`UPDATE alerts SET error = ${bound(JSON.stringify(error))}, failures = failures + 1,
         last_checked_at = ${bound(now)}, next_attempt_at = ${bound(new Date(now.getTime() + delay))}
       WHERE ${ofAlert(alert)}`,
    );
  });

/** Returns those of the intervals that are decided already, by the time of their start. */
export const decidedAmong = async (
  postgres: Queryable,
  alert: DueAlert,
  starts: readonly Date[],
): Promise<ReadonlySet<number>> => {
  const { rows } = await postgres.query<{ interval_start: Date }>(
    pgSql`SELECT interval_start FROM alert_checks WHERE project_id = ${bound(alert.project_id)} AND alert_id = ${bound(alert.id)}
     AND interval_start = ANY (${bound(starts)}::timestamptz[])`,
  );
  return new Set(rows.map((row) => row.interval_start.getTime()));
};

/** Lets a changed alert decide its last interval by its new rule. */
export const forgetLastCheck = async (client: ClientBase, projectId: number, alertId: number): Promise<void> => {
  const ofChanged = pgSql`project_id = ${bound(projectId)} AND alert_id = ${bound(alertId)}`;
  await client.query(
    pgSql`DELETE FROM alert_checks WHERE ${ofChanged}
     AND interval_start = (SELECT max(interval_start) FROM alert_checks WHERE ${ofChanged})`,
  );
};

export const alertInNotice = ({ id, name, insight_id }: Pick<DueAlert, 'id' | 'name' | 'insight_id'>) => ({
  alert: { id, name },
  insight_id,
});

/** Why a breach ended without an interval that is no breach. */
export type EndReason = 'changed' | 'disabled' | 'snoozed' | 'deleted' | 'insight_deleted';

/** Tells that a breach has ended because its alert does no longer watch it, so that each `alert.fired` has one end. */
export const endBreach = async (
  client: ClientBase,
  projectId: number,
  alert: Pick<DueAlert, 'id' | 'name' | 'insight_id' | 'firing' | 'subscribed_users'>,
  reason: EndReason,
  now: Date,
): Promise<void> => {
  if (!alert.firing) return;
  const data = { ...alertInNotice(alert), reason };
  const key = `${alert.id} ${reason} ${now.toISOString()}`;
  await tell(client, projectId, alert.subscribed_users, { type: 'alert.resolved', key, data, at: now });
};

const dayMs = 24 * 3_600_000;
/** Checks can be read for this long. */
export const checkLifetimeDays = 90;

/** Removes old checks, but not the last one of an alert, which may be monthly. */
export const forgetOldChecks = async (postgres: Queryable, now: Date): Promise<void> => {
  const before = bound(new Date(now.getTime() - checkLifetimeDays * dayMs));
  await postgres.query(
    pgSql`DELETE FROM alert_checks AS c WHERE c.checked_at < ${before} AND EXISTS (
       SELECT FROM alert_checks AS l WHERE l.project_id = c.project_id AND l.alert_id = c.alert_id
         AND l.interval_start > c.interval_start)`,
  );
};
