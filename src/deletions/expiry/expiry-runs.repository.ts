import { notFound } from '../../platform/errors/problem.js';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { expiryRuleOf, minLifetimeMs, type ExpiryRule } from '../../kernel/event-log/removal/expiry-rule.js';
import { type ExpiredEvents } from '../../kernel/event-log/removal/remove-expired-events.js';
import { type EventExpiry } from '../../kernel/projects/event-expiry.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** The run of the job that causes a removal. */
export interface ExpiryCause {
  readonly number: string;
  /** Null when an operator has requested the run. */
  readonly scheduledFor: Date | null;
}

export interface OpenExpiry {
  readonly projectId: number;
  readonly id: string;
  readonly rule: ExpiryRule;
  /** The uuid of the event up to which the present pass over the log has come; null at its start. */
  readonly sweptUntil: string | null;
  readonly deletedInPass: number;
  readonly isSwept: boolean;
}

interface OpenRow {
  readonly projectId: number;
  readonly id: string;
  readonly days: number | null;
  readonly daysByName: EventExpiry['daysByName'];
  readonly countedFrom: Date;
  readonly receivedUpTo: Date;
  readonly sweptUntil: string | null;
  readonly deletedInPass: string;
  readonly isSwept: boolean;
}

/** Returns the projects that keep some of their events for a limited time. */
export const expiringProjects = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ id: number }>(
    `SELECT id FROM projects WHERE deleted_at IS NULL AND (events_ttl_days IS NOT NULL
       OR EXISTS (SELECT 1 FROM jsonb_each(events_ttl_days_by_name) AS named WHERE named.value <> 'null')) ORDER BY id`,
  );
  return rows.map(({ id }) => id);
};

/**
 * Starts the removal in a project, unless this run of the job has done so before or an earlier removal is not finished. A
 * scheduled run counts ages from the scheduled moment, as the preview does.
 */
export const startExpiry = async (
  client: ClientBase,
  projectId: number,
  run: ExpiryCause,
  now: Date,
): Promise<void> => {
  const countedFrom = run.scheduledFor ?? now;
  const receivedUpTo = new Date(Math.min(countedFrom.getTime(), now.getTime()) - minLifetimeMs);
  const project = bound(projectId);
  await client.query(
    pgSql`
      INSERT INTO expiry_runs (project_id, id, run, ttl_days, ttl_days_by_name, counted_from, received_up_to, state,
        started_at, deleted_in_pass, events_deleted)
      SELECT p.id, ${bound(uuidv7())}::uuid, ${bound(run.number)}::bigint, p.events_ttl_days, p.events_ttl_days_by_name,
        ${bound(countedFrom)}::timestamptz, ${bound(receivedUpTo)}::timestamptz, 'running', ${bound(now)}::timestamptz, 0, 0
      FROM projects p WHERE p.id = ${project} AND NOT EXISTS (
        SELECT 1 FROM expiry_runs e WHERE e.project_id = ${project} AND (e.state = 'running' OR e.run = ${bound(run.number)})
      )`,
  );
};

/** Returns the unfinished removals of all projects. */
export const openExpiries = async (postgres: Queryable): Promise<OpenExpiry[]> => {
  const { rows } = await postgres.query<OpenRow>(
    `SELECT e.project_id AS "projectId", e.id, e.ttl_days AS days, e.ttl_days_by_name AS "daysByName",
       e.counted_from AS "countedFrom", e.received_up_to AS "receivedUpTo", e.swept_until AS "sweptUntil",
       e.deleted_in_pass AS "deletedInPass", e.swept_at IS NOT NULL AS "isSwept"
     FROM projects p JOIN expiry_runs e ON e.project_id = p.id AND e.state = 'running'
     WHERE p.deleted_at IS NULL ORDER BY e.project_id, e.id`,
  );
  return rows.map(({ days, daysByName, countedFrom, receivedUpTo, ...row }) => ({
    ...row,
    deletedInPass: Number(row.deletedInPass),
    rule: expiryRuleOf({ days, daysByName }, countedFrom, receivedUpTo),
  }));
};

const thisOne = ({ projectId, id }: OpenExpiry): PgSql => pgSql`project_id = ${bound(projectId)} AND id = ${bound(id)}`;

interface LockedSettings {
  /** The name of the project. */
  readonly name: string;
  /** True if the settings are still those with which the removal started. */
  readonly areUnchanged: boolean;
}

/** Returns the settings of a project; throws when the project is gone or is being deleted. */
export const readExpiry = async (postgres: Queryable, projectId: number): Promise<EventExpiry> => {
  const { rows } = await postgres.query<EventExpiry>(
    pgSql`SELECT events_ttl_days AS days, events_ttl_days_by_name AS "daysByName" FROM projects
     WHERE id = ${bound(projectId)} AND deleted_at IS NULL`,
  );
  const [expiry] = rows;
  if (!expiry) throw notFound();
  return expiry;
};

/** Locks the settings of the project, so that a change of them waits for the end of this transaction. */
export const lockSettings = async (client: ClientBase, { projectId, id }: OpenExpiry): Promise<LockedSettings> => {
  const { rows } = await client.query<LockedSettings>(
    pgSql`SELECT p.name, p.events_ttl_days IS NOT DISTINCT FROM e.ttl_days
       AND p.events_ttl_days_by_name = e.ttl_days_by_name AS "areUnchanged"
     FROM projects p JOIN expiry_runs e ON e.project_id = p.id AND e.id = ${bound(id)}
     WHERE p.id = ${bound(projectId)} FOR SHARE OF p`,
  );
  return rows[0] as LockedSettings;
};

const countByName = ({ projectId, id }: OpenExpiry, byName: ReadonlyMap<string, number>): PgSql => pgSql`
  INSERT INTO expiry_run_events AS known (project_id, expiry_run_id, event, deleted)
  SELECT ${bound(projectId)}, ${bound(id)}, named.event, named.deleted
  FROM unnest(${bound([...byName.keys()])}::text[], ${bound([...byName.values()])}::bigint[]) AS named (event, deleted)
  ON CONFLICT (project_id, expiry_run_id, event) DO UPDATE SET deleted = known.deleted + excluded.deleted`;

/**
 * Records removed events. `sweptUntil` is the event up to which the log has no expired event; null leaves the progress as it is.
 */
export const recordExpired = async (
  client: ClientBase,
  expiry: OpenExpiry,
  { removed, byName }: ExpiredEvents,
  sweptUntil: string | null,
): Promise<void> => {
  if (removed > 0) await client.query(countByName(expiry, byName));
  await client.query(
    pgSql`UPDATE expiry_runs SET events_deleted = events_deleted + ${bound(removed)},
       deleted_in_pass = deleted_in_pass + ${bound(removed)},
       swept_until = coalesce(${bound(sweptUntil)}::uuid, swept_until)
     WHERE ${thisOne(expiry)}`,
  );
};

/** Records the end of a pass over the log. After a pass that removed nothing, the log is swept. */
export const passEnded = async (client: ClientBase, expiry: OpenExpiry, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE expiry_runs SET swept_until = NULL, deleted_in_pass = 0,
       swept_at = CASE WHEN deleted_in_pass = 0 THEN ${bound(now)}::timestamptz END
     WHERE ${thisOne(expiry)}`,
  );
};

/** Starts to sweep the log again, because ClickHouse still has expired events. */
export const expireAgain = async (client: ClientBase, expiry: OpenExpiry, remaining: number): Promise<void> => {
  await client.query(
    pgSql`UPDATE expiry_runs SET swept_at = NULL, deleted_in_pass = 0, events_left = ${bound(remaining)} WHERE ${thisOne(expiry)}`,
  );
};

/** Records that no expired event remains. Returns the number of removed events. */
export const finishExpiry = async (client: ClientBase, expiry: OpenExpiry, now: Date): Promise<number> => {
  const { rows } = await client.query<{ deleted: string }>(
    pgSql`UPDATE expiry_runs SET state = 'done', events_left = 0, verified_at = ${bound(now)}, error = NULL
     WHERE ${thisOne(expiry)} RETURNING events_deleted AS deleted`,
  );
  return Number(rows[0]?.deleted);
};

const changedMeanwhile = 'The settings were changed while events were being removed; the next run follows the new ones';

export const stopExpiry = async (client: ClientBase, expiry: OpenExpiry): Promise<number> => {
  const { rows } = await client.query<{ deleted: string }>(
    pgSql`UPDATE expiry_runs SET state = 'stopped', swept_until = NULL,
       error = ${bound(changedMeanwhile)}
     WHERE ${thisOne(expiry)} RETURNING events_deleted AS deleted`,
  );
  return Number(rows[0]?.deleted);
};

export const recordExpiryError = async (postgres: Queryable, expiry: OpenExpiry, error: string): Promise<void> => {
  await postgres.query(pgSql`UPDATE expiry_runs SET error = ${bound(error)} WHERE ${thisOne(expiry)}`);
};
