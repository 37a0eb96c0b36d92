import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../common/project-context.js';
import { type Lease } from '../../stores/postgres/lease.js';
import { type CalculationErrorDto } from '../cohort.dto.js';
import { type Postgres, type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

/** A cohort that waits to be calculated. */
export interface QueuedCohort {
  readonly projectId: number;
  readonly id: number;
}

/** One try to calculate a cohort, or to fill a static one. No other try has its version. */
export interface Attempt extends QueuedCohort {
  readonly version: number;
  readonly filters: object | null;
  readonly isStatic: boolean;
  readonly errors: number;
  /** The time for which it was requested; null: the current time. */
  readonly clock: Date | null;
}

export const leaseNameOf = ({ projectId, id }: QueuedCohort): string => `cohort:${projectId}:${id}`;

/** In the transaction of what makes the calculation necessary. */
export const queueCalculation = async (
  client: ClientBase,
  projectId: number,
  cohortId: number,
  clock: Date,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohorts
     SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
       calculate_after = NULL, calculation_now = ${bound(clock)}
     WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)}`,
  );
};

/**
 * What has grown old: dynamic cohorts by the clock or because ClickHouse was filled anew, and those whose last calculation
 * failed long enough ago.
 */
const refresh = `
  UPDATE cohorts SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
    calculation_now = NULL
  WHERE NOT deleted AND NOT is_calculating AND (calculate_after IS NULL OR calculate_after <= $1) AND (
    (NOT is_static AND (last_attempt_at IS NULL OR last_attempt_at <= $2))
    OR last_attempt_at < (SELECT max(finished_at) FROM projection_rebuilds WHERE phase = 'done')
    OR errors_calculating > 0)`;

export const queueStale = async (postgres: Queryable, now: Date, refreshMs: number): Promise<number> => {
  const { rowCount } = await postgres.query(refresh, [now, new Date(now.getTime() - refreshMs)]);
  return rowCount ?? 0;
};

/**
 * For each project the cohort that has waited longest, of those that wait for no other one. $1: now; $2: cohorts of this
 * process, as lease names; $3: whether leases of other processes are to be respected.
 */
const next = `
  SELECT DISTINCT ON (c.project_id) c.project_id AS "projectId", c.id FROM cohorts AS c
  WHERE c.is_calculating AND NOT c.deleted
    AND (c.calculate_after IS NULL OR c.calculate_after <= $1)
    AND NOT ('cohort:' || c.project_id || ':' || c.id = ANY ($2::text[]))
    AND NOT ($3 AND EXISTS (
      SELECT FROM leases AS l WHERE l.name = 'cohort:' || c.project_id || ':' || c.id AND l.expires_at > $1))
    AND NOT EXISTS (
      SELECT FROM cohorts AS d
      WHERE d.project_id = c.project_id AND d.id = ANY (c.depends_on) AND d.is_calculating AND NOT d.deleted)
  ORDER BY c.project_id, c.last_attempt_at NULLS FIRST, c.id`;

export const nextQueued = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<QueuedCohort[]> => (await postgres.query<QueuedCohort>(next, [now, running, respectLeases])).rows;

const dependencies = `
  UPDATE cohorts AS d SET is_calculating = true, pending_version = greatest(d.pending_version, d.attempted_version) + 1,
    calculation_now = NULL
  FROM cohorts AS c
  WHERE c.project_id = $1 AND c.id = $2 AND d.project_id = $1 AND d.id = ANY (c.depends_on)
    AND NOT d.is_static AND NOT d.deleted AND NOT d.is_calculating
    AND (d.calculate_after IS NULL OR d.calculate_after <= $3)
    AND (d.last_attempt_at IS NULL OR d.last_attempt_at <= $4)`;

/** What a cohort refers to comes first where it is too old; whether there is such. */
export const queueDependencies = async (
  postgres: Queryable,
  { projectId, id }: QueuedCohort,
  now: Date,
  refreshMs: number,
): Promise<boolean> => {
  const { rowCount } = await postgres.query(dependencies, [projectId, id, now, new Date(now.getTime() - refreshMs)]);
  return rowCount !== 0;
};

const begin = `
  UPDATE cohorts SET attempted_version = greatest(attempted_version + 1, pending_version),
    pending_version = greatest(attempted_version + 1, pending_version)
  WHERE project_id = $1 AND id = $2 AND is_calculating AND NOT deleted
  RETURNING attempted_version AS version, filters, is_static AS "isStatic", errors_calculating AS errors,
    calculation_now AS clock`;

/** Null when the cohort is no longer queued. */
export const beginAttempt = (
  postgres: Postgres,
  lease: Lease,
  { projectId, id }: QueuedCohort,
): Promise<Attempt | null> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rows } = await client.query<Omit<Attempt, keyof QueuedCohort>>(begin, [projectId, id]);
    return rows[0] ? { projectId, id, ...rows[0] } : null;
  });

export interface Success {
  readonly count: number;
  /** The moment that the members are those of. */
  readonly calculatedAt: Date;
  readonly now: Date;
}

const succeed = `
  UPDATE cohorts SET version = CASE WHEN is_static THEN version ELSE $3 END, count = $4, last_calculation = $5,
    last_attempt_at = $6, is_calculating = false, errors_calculating = 0, calculation_error = NULL, calculate_after = NULL
  WHERE project_id = $1 AND id = $2 AND pending_version = $3 AND NOT deleted`;

/** The new members count from here on, unless another definition has come meanwhile. */
export const recordSuccess = (postgres: Postgres, lease: Lease, attempt: Attempt, success: Success): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { projectId, id, version } = attempt;
    await client.query(succeed, [projectId, id, version, success.count, success.calculatedAt, success.now]);
  });

const fail = `
  UPDATE cohorts SET last_attempt_at = $4, is_calculating = false, errors_calculating = errors_calculating + 1,
    calculation_error = $5, calculate_after = $6
  WHERE project_id = $1 AND id = $2 AND pending_version = $3 AND NOT deleted`;

export const recordFailure = (
  postgres: Postgres,
  lease: Lease,
  { projectId, id, version }: Attempt,
  { error, retryAt, now }: { readonly error: CalculationErrorDto; readonly retryAt: Date; readonly now: Date },
): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    await client.query(fail, [projectId, id, version, now, JSON.stringify(error), retryAt]);
  });

/** The project as requests see it; null when it is gone. */
export const projectOf = async (postgres: Queryable, projectId: number): Promise<ProjectContext | null> => {
  const { rows } = await postgres.query<ProjectContext>(
    pgSql`SELECT id, timezone, week_start_day AS "weekStartDay",
       person_display_name_properties AS "personDisplayNameProperties", test_account_filters AS "testAccountFilters",
       path_cleaning_filters AS "pathCleaningFilters"
     FROM projects WHERE id = ${bound(projectId)}`,
  );
  return rows[0] ?? null;
};

/** Every live dynamic cohort of a project, or of all; how many there are. */
export const queueAll = async (postgres: Queryable, projectId: number | null): Promise<number> => {
  const { rowCount } = await postgres.query(
    `UPDATE cohorts SET is_calculating = true, pending_version = greatest(pending_version, attempted_version) + 1,
       calculate_after = NULL, calculation_now = NULL
     WHERE NOT deleted AND NOT is_static AND ($1::integer IS NULL OR project_id = $1)`,
    [projectId],
  );
  return rowCount ?? 0;
};
