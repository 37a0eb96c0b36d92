import { type ClientBase } from 'pg';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { isHeldUntil, type Lease } from '../../platform/postgres/lease.js';
import { type CalculatedMembers, memberKindOf, recordSwitch } from '../../kernel/memberships/record-members.js';
import { type CalculationErrorDto } from '../cohort.dto.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** A cohort that is waiting for its calculation. */
export interface QueuedCohort {
  readonly projectId: number;
  readonly id: number;
}

/** One attempt to calculate a dynamic cohort, or to fill a static one. Each attempt has its own version. */
export interface Attempt extends QueuedCohort {
  readonly version: number;
  readonly filters: object | null;
  readonly isStatic: boolean;
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
  readonly errors: number;
  /** The time for which the calculation was requested; null for the current time. */
  readonly clock: Date | null;
}

export const leaseNameOf = ({ projectId, id }: QueuedCohort): string => `cohort:${projectId}:${id}`;

/** The assignments that request a calculation for a moment. */
const requested = (clock: Date): PgSql => pgSql`
  is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
  calculate_after = NULL, calculation_now = ${bound(clock)}`;

/** Queues a cohort. Must be called in the transaction that makes the calculation necessary. */
export const queueCalculation = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  clock: Date,
  { isRedefined = false } = {},
): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohorts SET ${requested(clock)}, is_redefined = is_redefined OR (${bound(isRedefined)} AND version IS NOT NULL)
     WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)}`,
  );
};

/** Queues the live cohorts whose definitions name the action. Must be called in the transaction that changes the action. */
export const queueUsersOfAction = async (
  client: ClientBase,
  projectId: number,
  actionId: number,
  clock: Date,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohorts SET ${requested(clock)}, is_redefined = is_redefined OR version IS NOT NULL
     WHERE project_id = ${bound(projectId)} AND NOT deleted AND NOT is_static
       AND depends_on_actions @> ARRAY[${bound(actionId)}::integer]`,
  );
};

/** True if the pause after a failure has ended. A last attempt in the future also counts: the clock was set back. */
const mayStart = (cohort: PgSql, now: Date): PgSql =>
  pgSql`(${cohort}.calculate_after IS NULL OR ${cohort}.calculate_after <= ${bound(now)} OR ${cohort}.last_attempt_at > ${bound(now)})`;

const isStale = (cohort: PgSql, now: Date, refreshMs: number): PgSql =>
  pgSql`(${cohort}.last_attempt_at IS NULL OR ${cohort}.last_attempt_at <= ${bound(new Date(now.getTime() - refreshMs))}
    OR ${cohort}.last_attempt_at > ${bound(now)})`;

/**
 * Queues stale cohorts: dynamic cohorts that are old enough, all cohorts after a rebuild of ClickHouse, and cohorts whose last
 * calculation failed long enough ago.
 */
const refresh = (now: Date, refreshMs: number): PgSql =>
  pgSql`
  UPDATE cohorts SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
    calculation_now = NULL
  WHERE NOT deleted AND NOT is_calculating AND ${mayStart(pgSql`cohorts`, now)} AND (
    (NOT is_static AND ${isStale(pgSql`cohorts`, now, refreshMs)})
    OR last_attempt_at < (SELECT max(finished_at) FROM projection_rebuilds WHERE phase = 'done')
    OR errors_calculating > 0)`.named('cohorts-stale');

export const queueStale = async (postgres: Queryable, now: Date, refreshMs: number): Promise<number> => {
  const { rowCount } = await postgres.query(refresh(now, refreshMs));
  return rowCount ?? 0;
};

/**
 * Selects, for each project, the cohort that has waited longest and does not depend on another waiting cohort. `running` has the
 * lease names of the cohorts that this process calculates; `respectLeases` leaves out the cohorts that other processes calculate.
 */
const next = (time: Date, running: readonly string[], respectLeases: boolean): PgSql => {
  return pgSql`
    SELECT DISTINCT ON (c.project_id) c.project_id AS "projectId", c.id FROM cohorts AS c
    JOIN projects AS p ON p.id = c.project_id AND p.deleted_at IS NULL
    WHERE c.is_calculating AND NOT c.deleted
      AND ${mayStart(pgSql`c`, time)}
      AND NOT ('cohort:' || c.project_id || ':' || c.id = ANY (${bound(running)}::text[]))
      AND NOT (${bound(respectLeases)} AND 'cohort:' || c.project_id || ':' || c.id IN (
        SELECT l.name FROM leases AS l WHERE l.name LIKE 'cohort:%' AND ${isHeldUntil(pgSql`l.expires_at`)}))
      AND NOT EXISTS (
        SELECT FROM cohorts AS d
        WHERE d.project_id = c.project_id AND d.id = ANY (c.depends_on) AND d.is_calculating AND NOT d.deleted)
    ORDER BY c.project_id, c.last_attempt_at NULLS FIRST, c.id`.named('cohorts-next');
};

export const nextQueued = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<QueuedCohort[]> => (await postgres.query<QueuedCohort>(next(now, running, respectLeases))).rows;

/** The codes of failures that the operator must cure, because a change of the definition does not help. */
export const oursToMend: readonly CalculationErrorDto['code'][] = ['unavailable', 'error'];

/**
 * Counts the cohorts that are due, and how late they are. A cohort is due at the age at which it is refreshed, unless a request
 * or the pause after a failure has set another moment. A failure from `oursToMend` does not postpone that moment. Cohorts are
 * late even where no worker runs and queues them.
 */
export const waitingCohorts = (postgres: Queryable, now: Date, refreshMs: number): Promise<Backlog> => {
  const refreshed = pgSql`${bound(refreshMs)}::double precision * interval '1 millisecond'`;
  const failsForUs = pgSql`(c.errors_calculating > 0 AND c.calculation_error ->> 'code' = ANY (${bound(oursToMend)}::text[]))`;
  return backlogOf(
    postgres,
    pgSql`
      SELECT CASE WHEN ${failsForUs} THEN coalesce(c.last_calculation + ${refreshed}, c.created_at)
        ELSE greatest(c.calculate_after, coalesce(c.calculation_now, c.last_attempt_at + ${refreshed}, c.created_at)) END AS due_at
      FROM cohorts AS c JOIN projects AS p ON p.id = c.project_id AND p.deleted_at IS NULL
      WHERE NOT c.deleted AND (${failsForUs} OR ${mayStart(pgSql`c`, now)}
        AND (c.is_calculating OR NOT c.is_static AND ${isStale(pgSql`c`, now, refreshMs)}))`,
  );
};

const dependencies = ({ projectId, id }: QueuedCohort, now: Date, refreshMs: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    UPDATE cohorts AS d SET is_calculating = true, pending_version = greatest(d.pending_version, d.attempted_version) + 1,
      calculation_now = NULL
    FROM cohorts AS c
    WHERE c.project_id = ${project} AND c.id = ${bound(id)} AND d.project_id = ${project} AND d.id = ANY (c.depends_on)
      AND NOT d.is_static AND NOT d.deleted AND NOT d.is_calculating
      AND ${mayStart(pgSql`d`, now)} AND ${isStale(pgSql`d`, now, refreshMs)}`;
};

/** Queues the stale cohorts that a cohort refers to, so that they are calculated first. Returns true if any cohort was queued. */
export const queueDependencies = async (
  postgres: Queryable,
  cohort: QueuedCohort,
  now: Date,
  refreshMs: number,
): Promise<boolean> => {
  const { rowCount } = await postgres.query(dependencies(cohort, now, refreshMs));
  return rowCount !== 0;
};

const start = ({ projectId, id }: QueuedCohort): PgSql => pgSql`
  UPDATE cohorts SET attempted_version = greatest(attempted_version + 1, pending_version),
    pending_version = greatest(attempted_version + 1, pending_version)
  WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND is_calculating AND NOT deleted
  RETURNING attempted_version AS version, filters, is_static AS "isStatic", group_type_index AS "groupType", errors_calculating AS errors,
    calculation_now AS clock`;

/** Starts an attempt. Returns null when the cohort is no longer queued. */
export const startAttempt = (postgres: Postgres, lease: Lease, cohort: QueuedCohort): Promise<Attempt | null> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rows } = await client.query<Omit<Attempt, keyof QueuedCohort>>(start(cohort));
    return rows[0] ? { projectId: cohort.projectId, id: cohort.id, ...rows[0] } : null;
  });

export interface Success {
  /** Null for a static cohort. */
  readonly calculated: CalculatedMembers | null;
  /** The moment for which the members were calculated. */
  readonly calculatedAt: Date;
  readonly now: Date;
}

const succeed = ({ projectId, id, version }: Attempt, { calculatedAt, now }: Success): PgSql => {
  const attempted = bound(version);
  return pgSql`
    UPDATE cohorts SET version = CASE WHEN is_static THEN version ELSE ${attempted} END,
      last_calculation = ${bound(calculatedAt)}, last_attempt_at = ${bound(now)}, is_calculating = false,
      errors_calculating = 0, calculation_error = NULL, calculate_after = NULL
    WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND pending_version = ${attempted} AND NOT deleted
    RETURNING is_redefined`;
};

/** Makes the calculated members the current ones, unless the definition was changed meanwhile. */
export const recordSuccess = (postgres: Postgres, lease: Lease, attempt: Attempt, success: Success): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rows } = await client.query<Succeeded>(succeed(attempt, success));
    const [cohort] = rows;
    if (!cohort) return;
    const { projectId, id, groupType } = attempt;
    const reason = cohort.is_redefined ? 'redefined' : 'calculated';
    const kind = memberKindOf(groupType);
    if (success.calculated) await recordSwitch(client, projectId, id, { reason, kind }, success.calculated);
  });

interface Succeeded {
  readonly is_redefined: boolean;
}

interface Failure {
  readonly error: CalculationErrorDto;
  readonly retryAt: Date;
  readonly now: Date;
}

const fail = ({ projectId, id, version }: Attempt, { error, retryAt, now }: Failure): PgSql => pgSql`
  UPDATE cohorts SET last_attempt_at = ${bound(now)}, is_calculating = false, errors_calculating = errors_calculating + 1,
    calculation_error = ${bound(JSON.stringify(error))}, calculate_after = ${bound(retryAt)}
  WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} AND pending_version = ${bound(version)} AND NOT deleted`;

export const recordFailure = (postgres: Postgres, lease: Lease, attempt: Attempt, failure: Failure): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    await client.query(fail(attempt, failure));
  });

/** Queues every live dynamic cohort of one project, or of all projects, and returns the number of cohorts. */
export const queueAll = async (postgres: Queryable, projectId: number | null): Promise<number> => {
  const project = bound(projectId);
  const { rowCount } = await postgres.query(
    pgSql`UPDATE cohorts SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
       calculate_after = NULL, calculation_now = NULL
     WHERE NOT deleted AND NOT is_static AND (${project}::integer IS NULL OR project_id = ${project})`,
  );
  return rowCount ?? 0;
};
