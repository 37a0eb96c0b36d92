import { uuidv7 } from 'uuidv7';
import { tooLarge, unavailable } from '../../../platform/errors/problem.js';
import { type Author } from '../../../kernel/access/author.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { maxEventBytes } from '../../../kernel/event-log/normalise/limits.js';
import { linesInChunks } from '../import-run.js';
import { importLines } from '../lines.js';
import { type ImportOptions } from '../record.js';
import { leaseOf } from './job-lease.js';
import { addPiece, insertJob, type JobRef, type NewJob, queueJob, removeJob } from './import-jobs.repository.js';
import { packLines } from './pieces.js';

/** The maximum stored size of one import. The lines are packed: their NDJSON is five to ten times as large. */
export const maxStoredBytes = 1024 ** 3;
export const maxUnfinished = 8;
export const maxUnfinishedOfProject = 2;
const retryAfterSeconds = 10;

/** Stores all lines of a body and queues the job. A body that ends early leaves nothing behind in the store. */
export const receiveJob = async (
  postgres: Postgres,
  projectId: number,
  bytes: AsyncIterable<Buffer>,
  options: ImportOptions,
  { userId, requestId, now }: Author,
): Promise<JobRef> => {
  const job = { projectId, id: uuidv7() };
  const lease = leaseOf(postgres, job);
  // The lease is taken before the job is inserted, because a job without a holder counts as abandoned.
  await lease.acquire();
  try {
    await insertWithinLimits(postgres, { ...job, source: 'request', options, userId, requestId, now });
    try {
      await queueJob(postgres, job, await storeLines(postgres, job, bytes));
    } catch (error) {
      await postgres.transaction((client) => removeJob(client, job)).catch(() => undefined);
      throw error;
    }
  } finally {
    await lease.release().catch(() => undefined);
  }
  return job;
};

/** Stores the lines in pieces. Returns the number of lines. */
const storeLines = async (postgres: Postgres, job: JobRef, bytes: AsyncIterable<Buffer>): Promise<number> => {
  let [rows, stored, position] = [0, 0, 0];
  for await (const read of linesInChunks(importLines(bytes, maxEventBytes))) {
    const lines = await packLines(read);
    rows += read.length;
    stored += lines.length;
    if (stored > maxStoredBytes) {
      throw tooLarge(
        `The import takes more than ${maxStoredBytes / 1024 ** 3} GB to store: send it in parts, or without wait=0`,
      );
    }
    await addPiece(postgres, job, { position, received_at: new Date(), lines });
    position += 1;
  }
  return rows;
};

/** An arbitrary key of the advisory lock under which imports are added. */
const lockKey = 7_214_580_119;

const insertWithinLimits = (postgres: Postgres, job: NewJob): Promise<void> =>
  postgres.transaction(async (client) => {
    await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockKey)})`);
    const { rows } = await client.query<{ project_id: number; unfinished: number }>(
      `SELECT project_id, count(*)::integer AS unfinished FROM import_jobs
       WHERE finished_at IS NULL AND source = 'request' GROUP BY project_id`,
    );
    const own = rows.find(({ project_id }) => project_id === job.projectId)?.unfinished ?? 0;
    const all = rows.reduce((sum, { unfinished }) => sum + unfinished, 0);
    if (own >= maxUnfinishedOfProject) {
      throw unavailable(
        `The project has ${own} imports that are not finished: wait for one of them`,
        retryAfterSeconds,
      );
    }
    if (all >= maxUnfinished) throw unavailable('Too many imports are not finished: try again', retryAfterSeconds);
    await insertJob(client, job);
  });
