import { type ClientBase } from 'pg';
import { appendNotice } from '../../kernel/notices/notices.repository.js';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { type Run } from './deletion-runs.repository.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import {
  type DeletionRequest,
  type DeletionRequestEvents,
  type RemainingParts,
} from '../../kernel/deletions/deletion-request.entity.js';
import { type SelectedEvents } from '../../kernel/event-log/removal/selected-events.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';

export interface OpenRequest extends Readonly<
  Pick<DeletionRequest, 'projectId' | 'id' | 'kind' | 'createdAt' | 'sweptUntil' | 'sweptAt' | 'criteria'>
> {
  /** Events that were received later stay. */
  readonly receivedUpTo: Date;
}

/** After this time, a write that was in progress when a person was deleted has long been committed or refused. */
export const finalAfterMs = 60 * 60_000;

export const waitingDeletions = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(
    postgres,
    pgSql`SELECT scheduled_for AS due_at FROM deletion_requests WHERE settled_at IS NULL AND state <> 'done'`,
  );

const columns = pgSql`project_id AS "projectId", id, kind, created_at AS "createdAt", swept_until AS "sweptUntil", swept_at AS "sweptAt",
  criteria, coalesce(received_up_to, created_at) AS "receivedUpTo"`;

export const openProjects = async (postgres: Queryable): Promise<number[]> => {
  const { rows } = await postgres.query<{ id: number }>(
    `SELECT DISTINCT d.project_id AS id FROM deletion_requests d JOIN projects p ON p.id = d.project_id AND p.deleted_at IS NULL
     WHERE d.settled_at IS NULL ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
};

/**
 * Selects requests that need a second look: they were finished so early that earlier events may have been committed afterwards,
 * and enough time has passed now.
 */
const needsSecondLook = (now: Date): PgSql => pgSql`
  settled_at IS NULL AND state = 'done' AND created_at <= ${bound(new Date(now.getTime() - finalAfterMs))}
    AND swept_at - created_at < ${bound(finalAfterMs)}::double precision * interval '1 millisecond'`;

export const someNeedSecondLook = async (postgres: Queryable, projectId: number, now: Date): Promise<boolean> => {
  const { rowCount } = await postgres.query(
    pgSql`SELECT 1 FROM deletion_requests WHERE project_id = ${bound(projectId)} AND ${needsSecondLook(now)} LIMIT 1`,
  );
  return rowCount !== 0;
};

/** Makes the requests of this run ready to be swept: those that need a second look, and pending ones up to its moment. */
export const startRequests = async (client: ClientBase, projectId: number, run: Run, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE deletion_requests SET swept_at = NULL, swept_until = NULL
     WHERE project_id = ${bound(projectId)} AND ${needsSecondLook(now)}`,
  );
  if (run.reason === 'second look') return;
  const scheduledFor = bound(run.scheduledFor);
  await client.query(
    pgSql`UPDATE deletion_requests SET state = 'running', started_at = ${bound(now)}
     WHERE project_id = ${bound(projectId)} AND state = 'pending' AND settled_at IS NULL
       AND (${scheduledFor}::timestamptz IS NULL OR created_at <= ${scheduledFor})`,
  );
};

export type Step = 'sweep' | 'verify';

const awaits: Readonly<Record<Step, PgSql>> = {
  sweep: pgSql`swept_at IS NULL`,
  verify: pgSql`swept_at IS NOT NULL AND (verified_at IS NULL OR verified_at < swept_at)`,
};

export const nextRequest = async (
  postgres: Queryable,
  projectId: number,
  step: Step,
  except: readonly string[],
): Promise<OpenRequest | null> => {
  const { rows } = await postgres.query<OpenRequest>(
    pgSql`SELECT ${columns} FROM deletion_requests
     WHERE project_id = ${bound(projectId)} AND settled_at IS NULL AND state <> 'pending' AND ${awaits[step]}
       AND id <> ALL (${bound(except)}::uuid[])
     ORDER BY created_at, id LIMIT 1`,
  );
  return rows[0] ?? null;
};

/** Returns the next distinct ids of a request, in order, after the given id. */
export const requestedDistinctIds = async (
  client: Queryable,
  { projectId, id }: Pick<OpenRequest, 'projectId' | 'id'>,
  after: string | null,
  limit: number,
): Promise<string[]> => {
  const { rows } = await client.query<{ distinct_id: string }>(
    pgSql`SELECT distinct_id FROM deletion_request_ids
     WHERE project_id = ${bound(projectId)} AND request_id = ${bound(id)} AND distinct_id > ${bound(after ?? '')}
     ORDER BY distinct_id LIMIT ${bound(limit)}`,
  );
  return rows.map((row) => row.distinct_id);
};

export interface SelectedPiece extends SelectedEvents {
  readonly position: number;
}

/** Returns the next events of a request that has selected them, after the given position; null when there are no more. */
export const selectedPiece = async (
  client: Queryable,
  { projectId, id, receivedUpTo }: Pick<OpenRequest, 'projectId' | 'id' | 'receivedUpTo'>,
  after: number,
): Promise<SelectedPiece | null> => {
  const { rows } = await client.query<Pick<DeletionRequestEvents, 'position' | 'uuids' | 'scrub'>>(
    pgSql`SELECT position, uuids, scrub FROM deletion_request_events
     WHERE project_id = ${bound(projectId)} AND request_id = ${bound(id)} AND position > ${bound(after)}
     ORDER BY position LIMIT 1`,
  );
  return rows[0] ? { ...rows[0], receivedUpTo } : null;
};

/** Records events that were removed, or changed. `sweptUntil` is the last distinct id or position with nothing left in the log. */
export const recordSwept = async (
  client: ClientBase,
  { projectId, id }: OpenRequest,
  { removed = 0, changed = 0 }: { readonly removed?: number; readonly changed?: number },
  sweptUntil: string | null,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE deletion_requests SET events_deleted = events_deleted + ${bound(removed)},
       events_scrubbed = events_scrubbed + ${bound(changed)}, swept_until = coalesce(${bound(sweptUntil)}, swept_until)
     WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

export const sweepEnded = async (client: ClientBase, { projectId, id }: OpenRequest, now: Date): Promise<void> => {
  await client.query(
    pgSql`UPDATE deletion_requests SET swept_at = ${bound(now)}, swept_until = NULL
     WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

/** Starts the sweep of a request again, because events have arrived since. */
export const sweepAgain = async (
  client: ClientBase,
  { projectId, id }: OpenRequest,
  remaining: number,
): Promise<void> => {
  await client.query(
    pgSql`
      UPDATE deletion_requests SET swept_at = NULL, swept_until = NULL, events_left = ${bound(remaining)}
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

/** Each place was counted before, or cleaned by `cleanWholly`, which throws when a block or a file has something left. */
const nothingRemains: RemainingParts = { rows: 0, blocks: 0, files: 0, clickhouse: 0, warnings: 0 };

export const recordRemaining = async (
  client: ClientBase,
  { projectId, id }: OpenRequest,
  remaining: number,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE deletion_requests SET events_left = ${bound(remaining)} WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

/** True if the sweep came so long after the request that no event received before the request can be committed any more. */
export const isFinal = ({ createdAt, sweptAt }: OpenRequest): boolean =>
  sweptAt !== null && sweptAt.getTime() >= createdAt.getTime() + finalAfterMs;

/** Records that no event remains. When this can no longer change, the distinct ids and uuids are removed too. */
export const recordVerified = async (client: ClientBase, request: OpenRequest, run: Run, now: Date): Promise<void> => {
  const { projectId, id, kind } = request;
  const isLast = isFinal(request);
  const { rows } = await client.query<{ person_id: string; events_deleted: string }>(
    pgSql`UPDATE deletion_requests SET state = 'done', events_left = 0, remaining = ${bound(JSON.stringify(nothingRemains))}, verified_at = ${bound(now)},
       settled_at = ${bound(isLast ? now : null)}, run = ${bound(run.number)}, error = NULL
     WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} RETURNING person_id, events_deleted`,
  );
  if (isLast) {
    const ofRequest = pgSql`project_id = ${bound(projectId)} AND request_id = ${bound(id)}`;
    await client.query(pgSql`DELETE FROM deletion_request_ids WHERE ${ofRequest}`);
    await client.query(pgSql`DELETE FROM deletion_request_events WHERE ${ofRequest}`);
  }
  const ofPerson = kind === 'person' && { person_id: Number(rows[0]?.person_id) };
  const data = { deletion_request_id: id, kind, ...ofPerson, events_deleted: Number(rows[0]?.events_deleted) };
  // A second look finishes the request again, of which there is no second notice.
  await appendNotice(client, { id: projectId }, { type: 'deletion.finished', key: id, data, at: now });
};

export const recordError = async (
  postgres: Queryable,
  { projectId, id }: OpenRequest,
  error: string,
): Promise<void> => {
  await postgres.query(
    pgSql`UPDATE deletion_requests SET error = ${bound(error)} WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

export type Receipt = Readonly<
  Pick<
    DeletionRequest,
    | 'projectId'
    | 'id'
    | 'kind'
    | 'personId'
    | 'personUuid'
    | 'state'
    | 'createdAt'
    | 'scheduledFor'
    | 'eventsDeleted'
    | 'eventsScrubbed'
    | 'eventsLeft'
    | 'verifiedAt'
    | 'error'
  >
>;

/** Returns receipts of all projects for operators, newest first; of one run, or of all runs when `run` is null. */
export const receiptsOf = async (postgres: Queryable, run: string | null, limit: number): Promise<Receipt[]> => {
  const [runNumber, most] = [bound(run), bound(limit)];
  const { rows } = await postgres.query<Receipt>(
    pgSql`SELECT d.project_id AS "projectId", d.id, d.kind, d.person_id AS "personId", d.person_uuid AS "personUuid", d.state,
       d.created_at AS "createdAt", d.scheduled_for AS "scheduledFor", d.events_deleted AS "eventsDeleted", d.events_scrubbed AS "eventsScrubbed",
       d.events_left AS "eventsLeft", d.verified_at AS "verifiedAt", d.error
     FROM projects p JOIN deletion_requests d ON d.project_id = p.id
     WHERE ${runNumber}::bigint IS NULL OR d.run = ${runNumber}
     ORDER BY d.created_at DESC, d.id DESC LIMIT ${most}`,
  );
  return rows;
};
