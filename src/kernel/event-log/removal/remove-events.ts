import { type ClientBase } from 'pg';
import { enqueue } from '../../projection/outbox/outbox.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { leaveBlocks } from '../compression/compress-events.js';
import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';

/** Selects events of these distinct ids that were received up to a moment. */
export interface Removal {
  readonly distinctIds: readonly string[];
  readonly receivedUpTo: Date;
}

/** Looks up one id after the other through the index, whatever the planner expects from its statistics. */
const selectUuids = (projectId: number, { distinctIds, receivedUpTo }: Removal, limit: number): PgSql => {
  const most = bound(limit);
  return pgSql`
    SELECT e.uuid FROM unnest(${bound(distinctIds)}::text[]) AS removed (distinct_id)
    CROSS JOIN LATERAL (
      SELECT uuid FROM events
      WHERE project_id = ${bound(projectId)} AND distinct_id = removed.distinct_id AND received_at <= ${bound(receivedUpTo)}
      LIMIT ${most}
    ) e
    LIMIT ${most}`;
};

const deleteByUuid = (projectId: number, uuids: readonly string[], receivedUpTo: Date): PgSql => pgSql`
  DELETE FROM events
  WHERE project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[]) AND received_at <= ${bound(receivedUpTo)}
  RETURNING uuid, block`;

const deleteWarnings = (projectId: number, { distinctIds, receivedUpTo }: Removal): PgSql => pgSql`
  DELETE FROM ingestion_warnings
  WHERE project_id = ${bound(projectId)} AND distinct_id = ANY (${bound(distinctIds)}::text[])
    AND created_at <= ${bound(receivedUpTo)}`;

const selectCount = (projectId: number, { distinctIds, receivedUpTo }: Removal): PgSql => pgSql`
  SELECT coalesce(sum(e.number), 0) AS number FROM unnest(${bound(distinctIds)}::text[]) AS removed (distinct_id)
  CROSS JOIN LATERAL (
    SELECT count(*) AS number FROM events
    WHERE project_id = ${bound(projectId)} AND distinct_id = removed.distinct_id AND received_at <= ${bound(receivedUpTo)}
  ) e`;

interface Removed {
  readonly removed: number;
  /** True if the limit was reached, so that more events may remain. */
  readonly more: boolean;
}

/**
 * Removes at most `limit` events, and the warnings about these distinct ids: from the log in the caller's transaction, and
 * from ClickHouse shortly after.
 */
export const removeEvents = async (
  client: ClientBase,
  projectId: number,
  removal: Removal,
  limit: number,
  now: Date,
): Promise<Removed> => {
  await client.query(deleteWarnings(projectId, removal));
  const { rows } = await client.query<{ uuid: string }>(selectUuids(projectId, removal, limit));
  const uuids = rows.map(({ uuid }) => uuid);
  const removed = await deleteEvents(client, projectId, uuids, removal.receivedUpTo, now);
  return { removed, more: rows.length === limit };
};

/**
 * Removes the events with these uuids, unless they arrived after the moment: from the log in the caller's transaction, and from
 * ClickHouse shortly after. Returns their number.
 */
export const deleteEvents = async (
  client: ClientBase,
  projectId: number,
  uuids: readonly string[],
  receivedUpTo: Date,
  now: Date,
): Promise<number> => {
  if (uuids.length === 0) return 0;
  const { rows: removed } = await client.query<{ uuid: string; block: string | null }>(
    deleteByUuid(projectId, uuids, receivedUpTo),
  );
  await leaveBlocks(
    client,
    projectId,
    removed.map(({ block }) => block),
  );
  await enqueue(client, projectId, [{ kind: 'removed_events', refs: removed.map(({ uuid }) => uuid) }], now);
  return removed.length;
};

export const countEvents = async (postgres: Queryable, projectId: number, removal: Removal): Promise<number> => {
  const { rows } = await postgres.query<{ number: string }>(selectCount(projectId, removal));
  return Number(rows[0]?.number);
};

const chunk = 5000;

const deleteChunk = (projectId: number, before: Date): PgSql => {
  const project = bound(projectId);
  return pgSql`
    DELETE FROM ingestion_warnings WHERE project_id = ${project} AND id IN (
      SELECT id FROM ingestion_warnings WHERE project_id = ${project} AND created_at < ${bound(before)} LIMIT ${bound(chunk)})`;
};

/** Warnings show what is wrong with a client now, so old warnings are of no use. */
export const removeOldWarnings = async (postgres: Queryable, projectId: number, before: Date): Promise<number> => {
  let removed = 0;
  for (;;) {
    const { rowCount } = await postgres.query(deleteChunk(projectId, before));
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < chunk) return removed;
  }
};
