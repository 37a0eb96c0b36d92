import { type ClientBase } from 'pg';
import { enqueue } from '../../projection/outbox/outbox.js';
import { type Queryable } from '../../stores/postgres/postgres.js';

/** Events of these distinct ids that were received up to a moment. */
export interface Removal {
  readonly distinctIds: readonly string[];
  readonly receivedUpTo: Date;
}

/** Id by id through the index, whatever the planner's statistics make it believe. */
const find = `
  SELECT e.uuid FROM unnest($2::text[]) AS wanted (distinct_id)
  CROSS JOIN LATERAL (
    SELECT uuid FROM events WHERE project_id = $1 AND distinct_id = wanted.distinct_id AND received_at <= $3 LIMIT $4
  ) e
  LIMIT $4`;

const remove = `
  DELETE FROM events WHERE project_id = $1 AND uuid = ANY ($2::uuid[]) AND received_at <= $3 RETURNING uuid`;

const removeWarnings = `
  DELETE FROM ingestion_warnings WHERE project_id = $1 AND distinct_id = ANY ($2::text[]) AND created_at <= $3`;

const count = `
  SELECT coalesce(sum(e.number), 0) AS number FROM unnest($2::text[]) AS wanted (distinct_id)
  CROSS JOIN LATERAL (
    SELECT count(*) AS number FROM events WHERE project_id = $1 AND distinct_id = wanted.distinct_id AND received_at <= $3
  ) e`;

export interface Removed {
  readonly removed: number;
  /** Whether there may be more than the limit let go. */
  readonly more: boolean;
}

/**
 * At most `limit` of them, and the warnings about these distinct ids: from the log in the caller's transaction, and from
 * ClickHouse in a moment.
 */
export const removeEvents = async (
  client: ClientBase,
  projectId: number,
  { distinctIds, receivedUpTo }: Removal,
  limit: number,
  now: Date,
): Promise<Removed> => {
  await client.query(removeWarnings, [projectId, distinctIds, receivedUpTo]);
  const { rows: found } = await client.query<{ uuid: string }>(find, [projectId, distinctIds, receivedUpTo, limit]);
  if (found.length === 0) return { removed: 0, more: false };
  const uuids = found.map(({ uuid }) => uuid);
  const { rows: removed } = await client.query<{ uuid: string }>(remove, [projectId, uuids, receivedUpTo]);
  await enqueue(client, projectId, [{ kind: 'removed_events', refs: removed.map(({ uuid }) => uuid) }], now);
  return { removed: removed.length, more: found.length === limit };
};

export const countEvents = async (
  postgres: Queryable,
  projectId: number,
  { distinctIds, receivedUpTo }: Removal,
): Promise<number> => {
  const { rows } = await postgres.query<{ number: string }>(count, [projectId, distinctIds, receivedUpTo]);
  return Number(rows[0]?.number);
};
