import { type ClientBase } from 'pg';
import { type Backlog } from '../../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../../platform/postgres/backlog.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type Stored } from '../../../platform/postgres/stored.js';
import { type ImportCounts, type ImportRefusal } from '../import-run.js';
import { type ImportOptions } from '../record.js';
import { type ImportJob } from './import-job.entity.js';

export type JobRow = Stored<ImportJob>;

/** Names one job. */
export interface JobRef {
  readonly projectId: number;
  readonly id: string;
}

export interface NewJob extends JobRef {
  readonly source: ImportJob['source'];
  readonly options: ImportOptions;
  readonly userId: number | null;
  readonly requestId: string | null;
  readonly now: Date;
}

/** A job lists at most this many rejected lines, but counts all of them. */
export const listedRefusals = 1000;

const ofJob = ({ projectId, id }: JobRef) => pgSql`project_id = ${bound(projectId)} AND id = ${bound(id)}`;
const ofPieces = ({ projectId, id }: JobRef) => pgSql`project_id = ${bound(projectId)} AND job_id = ${bound(id)}`;

export const insertJob = async (client: Queryable, job: NewJob): Promise<void> => {
  const { projectId, id, source, options, userId, requestId, now } = job;
  await client.query(
    pgSql`INSERT INTO import_jobs (project_id, id, status, source, apply_person_properties, create_persons, created_by,
       request_id, created_at)
     VALUES (${bound(projectId)}, ${bound(id)}, ${bound(source === 'file' ? 'running' : 'receiving')}, ${bound(source)},
       ${bound(options.applyPersonProperties)}, ${bound(options.createPersons)}, ${bound(userId)}, ${bound(requestId)},
       ${bound(now)})`,
  );
};

export const findJob = async (client: Queryable, job: JobRef): Promise<JobRow | null> => {
  const { rows } = await client.query<JobRow & object>(pgSql`SELECT * FROM import_jobs WHERE ${ofJob(job)}`);
  return rows[0] ?? null;
};

/** Returns the unfinished jobs, oldest first. */
export const unfinishedJobs = async (client: Queryable): Promise<JobRef[]> => {
  const { rows } = await client.query<{ project_id: number; id: string }>(
    pgSql`SELECT project_id, id FROM import_jobs WHERE finished_at IS NULL ORDER BY created_at, id`.named(
      'imports-open',
    ),
  );
  return rows.map(({ project_id, id }) => ({ projectId: project_id, id }));
};

export const waitingImports = (client: Queryable): Promise<Backlog> =>
  backlogOf(client, pgSql`SELECT created_at AS due_at FROM import_jobs WHERE finished_at IS NULL`);

/** Queues a job whose lines have all arrived. */
export const queueJob = async (client: Queryable, job: JobRef, rows: number): Promise<void> => {
  await client.query(pgSql`UPDATE import_jobs SET status = 'queued', rows = ${bound(rows)} WHERE ${ofJob(job)}`);
};

export interface ImportProgress extends ImportCounts {
  readonly rows: number;
  readonly refusals: readonly ImportRefusal[];
}

export const recordProgress = async (client: ClientBase, job: JobRef, progress: ImportProgress): Promise<void> => {
  const { rows, persons, events, duplicates, refusals } = progress;
  const listed = bound(JSON.stringify(refusals.slice(0, listedRefusals)));
  // The last addition may exceed the maximum; readers cut the list.
  await client.query(
    pgSql`UPDATE import_jobs SET status = 'running', failures = 0, rows_read = rows_read + ${bound(rows)},
       persons = persons + ${bound(persons)}, events = events + ${bound(events)},
       duplicates = duplicates + ${bound(duplicates)}, rejected_count = rejected_count + ${bound(refusals.length)},
       rejected = CASE WHEN jsonb_array_length(rejected) < ${bound(listedRefusals)} THEN rejected || ${listed}::jsonb
         ELSE rejected END
     WHERE ${ofJob(job)}`,
  );
};

/** Returns the number of consecutive failed attempts. */
export const countFailure = async (client: Queryable, job: JobRef): Promise<number> => {
  const { rows } = await client.query<{ failures: number }>(
    pgSql`UPDATE import_jobs SET failures = failures + 1 WHERE ${ofJob(job)} RETURNING failures`,
  );
  return rows[0]?.failures ?? 0;
};

/** Finishes a job and removes its lines. Returns the finished job; null if it was finished before. */
export const finishJob = async (
  client: ClientBase,
  job: JobRef,
  { error, now }: { readonly error: string | null; readonly now: Date },
): Promise<JobRow | null> => {
  await client.query(pgSql`DELETE FROM import_pieces WHERE ${ofPieces(job)}`);
  const { rows } = await client.query<JobRow & object>(
    pgSql`UPDATE import_jobs SET status = ${bound(error === null ? 'done' : 'failed')}, error = ${bound(error)},
       finished_at = ${bound(now)}, rows = coalesce(rows, CASE WHEN ${bound(error)}::text IS NULL THEN rows_read END)
     WHERE ${ofJob(job)} AND finished_at IS NULL RETURNING *`,
  );
  return rows[0] ?? null;
};

/** Removes a job whose body was refused, so that its caller never got its id. */
export const removeJob = async (client: Queryable, job: JobRef): Promise<void> => {
  await client.query(pgSql`DELETE FROM import_pieces WHERE ${ofPieces(job)}`);
  await client.query(pgSql`DELETE FROM import_jobs WHERE ${ofJob(job)}`);
};

export const forgetFinishedJobs = async (client: Queryable, before: Date): Promise<void> => {
  await client.query(pgSql`DELETE FROM import_jobs WHERE finished_at < ${bound(before)}`);
};

export interface Piece {
  readonly position: number;
  readonly received_at: Date;
  readonly lines: Buffer;
}

export const addPiece = async (client: Queryable, job: JobRef, piece: Piece): Promise<void> => {
  await client.query(
    pgSql`INSERT INTO import_pieces (project_id, job_id, position, received_at, lines)
     VALUES (${bound(job.projectId)}, ${bound(job.id)}, ${bound(piece.position)}, ${bound(piece.received_at)},
       ${bound(piece.lines)})`,
  );
};

/** Returns the first piece after a position. */
export const nextPiece = async (client: Queryable, job: JobRef, after: number): Promise<Piece | null> => {
  const { rows } = await client.query<Piece>(
    pgSql`SELECT position, received_at, lines FROM import_pieces
     WHERE ${ofPieces(job)} AND position > ${bound(after)} ORDER BY position LIMIT 1`,
  );
  return rows[0] ?? null;
};

export const removePiece = async (client: ClientBase, job: JobRef, position: number): Promise<void> => {
  await client.query(pgSql`DELETE FROM import_pieces WHERE ${ofPieces(job)} AND position = ${bound(position)}`);
};
