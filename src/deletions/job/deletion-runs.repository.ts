import { type ClientBase } from 'pg';
import { type DeletionRun, type RunReason } from './deletion-run.entity.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { setTimeout as sleep } from 'node:timers/promises';

export type Run = Readonly<
  Pick<DeletionRun, 'number' | 'reason' | 'scheduledFor' | 'attempt' | 'error' | 'finishedAt'>
>;

const columns = pgSql`number, reason, scheduled_for AS "scheduledFor", attempt, error, finished_at AS "finishedAt"`;

/**
 * Records that a scheduled moment has come, even if no process was running then. The first process to report the moment creates
 * the run. The very first moment of an installation is only noted, as if its run were finished, because no run was missed.
 */
export const recordOccurrence = async (postgres: Queryable, occurrence: Date, now: Date): Promise<void> => {
  const requestedAt = bound(now);
  await postgres.query(
    pgSql`INSERT INTO deletion_runs (reason, scheduled_for, requested_at, attempt, finished_at)
     SELECT 'schedule', ${bound(occurrence)}::timestamptz, ${requestedAt}::timestamptz, 0,
       CASE WHEN NOT EXISTS (SELECT 1 FROM deletion_runs) THEN ${requestedAt} END
     ON CONFLICT (scheduled_for) DO NOTHING`,
  );
};

/** Returns a requested run that has not started yet, or else requests a run. */
export const requestRun = async (postgres: Queryable, reason: RunReason, now: Date): Promise<string> => {
  const { rows: waiting } = await postgres.query<{ number: string }>(
    pgSql`SELECT number FROM deletion_runs WHERE reason = ${bound(reason)} AND attempt = 0 AND finished_at IS NULL ORDER BY number LIMIT 1`,
  );
  if (waiting[0]) return waiting[0].number;
  const { rows } = await postgres.query<{ number: string }>(
    pgSql`INSERT INTO deletion_runs (reason, requested_at, attempt) VALUES (${bound(reason)}, ${bound(now)}, 0) RETURNING number`,
  );
  return (rows[0] as { number: string }).number;
};

export const findRun = async (postgres: Queryable, number: string): Promise<Run | null> => {
  const { rows } = await postgres.query<Run>(
    pgSql`SELECT ${columns} FROM deletion_runs WHERE number = ${bound(number)}`,
  );
  return rows[0] ?? null;
};

/** Returns the open run with the fewest attempts, so that a run that keeps failing does not block the others. */
export const openRun = async (postgres: Queryable): Promise<Run | null> => {
  const { rows } = await postgres.query<Run>(
    pgSql`SELECT ${columns} FROM deletion_runs WHERE finished_at IS NULL ORDER BY attempt, number LIMIT 1`.named(
      'deletion-runs-open',
    ),
  );
  return rows[0] ?? null;
};

export const latestFinish = async (postgres: Queryable): Promise<Date | null> => {
  const { rows } = await postgres.query<{ at: Date | null }>('SELECT max(finished_at) AS at FROM deletion_runs');
  return rows[0]?.at ?? null;
};

export const startRun = async (client: ClientBase, number: string): Promise<void> => {
  await client.query(pgSql`UPDATE deletion_runs SET attempt = attempt + 1 WHERE number = ${bound(number)}`);
};

export const finishRun = async (client: ClientBase, number: string, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE deletion_runs SET finished_at = ${bound(now)}, error = NULL WHERE number = ${bound(number)}`,
  );
};

export const failRun = async (postgres: Queryable, number: string, error: string): Promise<void> => {
  await postgres.query(
    pgSql`UPDATE deletion_runs SET error = ${bound(error)} WHERE number = ${bound(number)} AND finished_at IS NULL`,
  );
};

const pollMs = 200;

/** Requests a run and resolves when it is finished. The run is done by the process that does background work. */
export const runDeletions = async (
  postgres: Queryable,
  now: Date,
  onProgress: (run: Run) => void = () => undefined,
): Promise<Run> => {
  const number = await requestRun(postgres, 'operator', now);
  for (;;) {
    const run = await findRun(postgres, number);
    if (!run) throw new Error(`The run ${number} is no longer known`);
    onProgress(run);
    if (run.finishedAt) return run;
    await sleep(pollMs);
  }
};
