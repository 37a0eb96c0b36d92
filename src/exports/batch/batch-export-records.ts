import { type ClientBase } from 'pg';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { backlogOf, type Paused, pausedIn } from '../../platform/postgres/backlog.js';
import { isHeldUntil, type Lease } from '../../platform/postgres/lease.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { type BatchPosition } from './batch-export.entity.js';
import { type BatchExportRow } from './batch-exports.repository.js';
import { type WrittenPartition } from './partition-writer.js';
import { closesAt, type Period, periodFrom } from './periods.js';

type Key = Pick<BatchExportRow, 'project_id' | 'id'>;

export const batchExportLog = new ItemLog('Export');

export const batchLeaseName = ({ project_id, id }: Key): string => `batch-export:${project_id}:${id}`;

/** The batch export of each project that has waited longest. `running` has the lease names of those that this process writes. */
export const nextBatchExports = async (
  postgres: Queryable,
  now: Date,
  running: readonly string[],
  respectLeases: boolean,
): Promise<Key[]> =>
  (
    await postgres.query<Key>(
      pgSql`SELECT DISTINCT ON (b.project_id) b.project_id, b.id FROM batch_exports AS b
       JOIN projects AS p ON p.id = b.project_id AND p.deleted_at IS NULL
       WHERE b.next_attempt_at <= ${bound(now)}
         AND NOT ('batch-export:' || b.project_id || ':' || b.id = ANY (${bound(running)}::text[]))
         AND NOT (${bound(respectLeases)} AND 'batch-export:' || b.project_id || ':' || b.id IN (
           SELECT l.name FROM leases AS l WHERE l.name LIKE 'batch-export:%' AND ${isHeldUntil(pgSql`l.expires_at`)}))
       ORDER BY b.project_id, b.next_attempt_at, b.id`.named('batch-exports-next'),
    )
  ).rows;

export const waitingBatchExports = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(postgres, pgSql`SELECT next_attempt_at AS due_at FROM batch_exports WHERE next_attempt_at IS NOT NULL`);

export const pausedBatchExports = (postgres: Queryable): Promise<Paused> => pausedIn(postgres, pgSql`batch_exports`);

const ofExport = ({ project_id, id }: Key): PgSql => pgSql`project_id = ${bound(project_id)} AND id = ${bound(id)}`;

const ofRun = ({ project_id, id }: Key, { start }: Period): PgSql => pgSql`
  project_id = ${bound(project_id)} AND batch_export_id = ${bound(id)} AND period_start = ${bound(start)}`;

/** Does `work` if the batch export is as it was read. A change or a deletion by a user comes first. */
const recordAt = (
  postgres: Postgres,
  lease: Lease,
  row: BatchExportRow,
  work: (client: ClientBase) => Promise<void>,
): Promise<boolean> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const { rowCount } = await client.query(
      pgSql`SELECT FROM batch_exports WHERE ${ofExport(row)} AND updated_at = ${bound(row.updated_at)}
       AND paused_at IS NULL FOR UPDATE`,
    );
    if (rowCount === 0) return false;
    await work(client);
    return true;
  });

/** Records an attempt before the first file. Returns the position of an earlier attempt at this period, if there was one. */
export const recordAttempt = async (
  postgres: Postgres,
  lease: Lease,
  row: BatchExportRow,
  period: Period,
): Promise<{ readonly known: BatchPosition | null } | null> => {
  let known: BatchPosition | null = null;
  const isCurrent = await recordAt(postgres, lease, row, async (client) => {
    const { rows } = await client.query<{ position: BatchPosition | null }>(
      pgSql`INSERT INTO batch_export_runs AS r (project_id, batch_export_id, period_start, period_end, status, files, records, bytes,
         attempts, created_at)
       VALUES (${bound(row.project_id)}, ${bound(row.id)}, ${bound(period.start)}, ${bound(period.end)}, 'Running', 0, 0, 0, 1,
         ${bound(postgres.clock.now())})
       ON CONFLICT (project_id, batch_export_id, period_start) DO UPDATE SET status = 'Running', attempts = r.attempts + 1
       RETURNING position`,
    );
    known = rows[0]?.position ?? null;
  });
  return isCurrent ? { known } : null;
};

export const recordPosition = (
  postgres: Postgres,
  lease: Lease,
  row: BatchExportRow,
  period: Period,
  position: BatchPosition,
): Promise<boolean> =>
  recordAt(postgres, lease, row, async (client) => {
    await client.query(
      pgSql`UPDATE batch_export_runs SET position = ${bound(JSON.stringify(position))} WHERE ${ofRun(row, period)}`,
    );
  });

/** Records a complete partition, and when the next one is due. */
export const recordWritten = (
  postgres: Postgres,
  lease: Lease,
  row: BatchExportRow,
  period: Period,
  { position, written }: { readonly position: BatchPosition | null; readonly written: WrittenPartition },
): Promise<boolean> =>
  recordAt(postgres, lease, row, async (client) => {
    const { manifest, files, records, bytes } = written;
    await client.query(
      pgSql`UPDATE batch_export_runs SET status = 'Completed', manifest = ${bound(manifest)}, files = ${bound(files)},
         records = ${bound(records)}, bytes = ${bound(bytes)}, error = NULL, finished_at = ${bound(postgres.clock.now())}
       WHERE ${ofRun(row, period)}`,
    );
    await client.query(
      pgSql`UPDATE batch_exports SET next_start = ${bound(period.end)}, position = ${bound(position && JSON.stringify(position))},
         next_attempt_at = ${bound(closesAt(periodFrom(period.end, row.interval)))}, failures = 0, failing_since = NULL
       WHERE ${ofExport(row)}`,
    );
  });

const firstRetryMs = 60_000;
const longestRetryMs = 6 * 3_600_000;

/** A period that fails for this long pauses its batch export. */
export const batchPatienceDays = 3;
const patienceMs = batchPatienceDays * 24 * 3_600_000;

export interface BatchFailure {
  readonly error: string;
  /** True if it does not pass by itself. */
  readonly isFinal: boolean;
}

/** Records a failed attempt: the period is tried again, each time later. Returns the reason if the batch export is paused. */
export const recordBatchFailure = async (
  postgres: Postgres,
  lease: Lease,
  row: BatchExportRow,
  period: Period,
  { error, isFinal }: BatchFailure,
): Promise<string | null> => {
  let reason: string | null = null;
  await recordAt(postgres, lease, row, async (client) => {
    const now = postgres.clock.now();
    const since = row.failing_since ?? now;
    const isPaused = isFinal || now.getTime() - since.getTime() >= patienceMs;
    reason = isPaused ? error : null;
    const next = new Date(now.getTime() + Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(row.failures, 20)));
    await client.query(
      pgSql`UPDATE batch_export_runs SET status = 'Failed', error = ${bound(error)} WHERE ${ofRun(row, period)}`,
    );
    await client.query(
      pgSql`UPDATE batch_exports SET failures = failures + 1, failing_since = ${bound(since)},
         paused_at = ${bound(isPaused ? now : null)}, paused_reason = ${bound(reason)},
         next_attempt_at = ${bound(isPaused ? null : next)}
       WHERE ${ofExport(row)}`,
    );
    if (!isPaused) return;
    const changes = [batchExportLog.changed('paused', false, true)];
    const entry = { id: row.id, activity: 'paused', name: row.name, changes };
    await batchExportLog.record(client, { id: row.project_id }, entry, { userId: null, requestId: null, now });
  });
  return reason;
};

const dayMs = 24 * 3_600_000;
/** Runs are listed for this long. */
export const runLifetimeDays = 90;

export const forgetOldRuns = async (postgres: Queryable, now: Date): Promise<void> => {
  const before = bound(new Date(now.getTime() - runLifetimeDays * dayMs));
  await postgres.query(pgSql`DELETE FROM batch_export_runs WHERE created_at < ${before} AND status = 'Completed'`);
};
