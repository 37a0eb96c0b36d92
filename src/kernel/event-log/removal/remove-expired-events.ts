import { type ClientBase } from 'pg';
import { enqueue } from '../../projection/outbox/outbox.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { leaveBlocks } from '../compression/compress-events.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { latestExpiry, type ExpiryRule } from './expiry-rule.js';

/** The events after `after` and up to `upTo`, in the order of uuids. Null: from the beginning, to the end of the log. */
export interface LogPiece {
  readonly after: string | null;
  readonly upTo: string | null;
}

const inPiece = (projectId: number, { after, upTo }: LogPiece): PgSql => pgSql`
  project_id = ${bound(projectId)} ${after === null ? pgSql`` : pgSql`AND uuid > ${bound(after)}::uuid`}
    ${upTo === null ? pgSql`` : pgSql`AND uuid <= ${bound(upTo)}::uuid`}`;

/** Selects the last event of a piece. Reads nothing but the index of the primary key. */
const selectEnd = (projectId: number, after: string | null, events: number): PgSql => pgSql`
  SELECT uuid FROM events WHERE ${inPiece(projectId, { after, upTo: null })}
  ORDER BY uuid OFFSET ${bound(events - 1)} LIMIT 1`;

/** First reads the rows of the piece that are old enough for any of the names; then the name of each decides. */
const selectExpired = (projectId: number, rule: ExpiryRule, latest: Date, piece: LogPiece, limit: number): PgSql => {
  const names = bound(rule.beforeByName.map(([name]) => name));
  const moments = bound(rule.beforeByName.map(([, before]) => before?.toISOString() ?? '-infinity'));
  return pgSql`
    WITH old AS MATERIALIZED (
      SELECT uuid, event, timestamp FROM events
      WHERE ${inPiece(projectId, piece)} AND timestamp < ${bound(latest)} AND received_at <= ${bound(rule.receivedUpTo)}
    )
    SELECT old.uuid FROM old LEFT JOIN unnest(${names}::text[], ${moments}::timestamptz[]) AS named (event, before)
      ON named.event = old.event
    WHERE old.timestamp < coalesce(named.before, ${bound(rule.before?.toISOString() ?? '-infinity')}::timestamptz)
    LIMIT ${bound(limit)}`;
};

/** Keeps an event that was sent again meanwhile under the same uuid, because it has arrived later. */
const deleteByUuid = (projectId: number, uuids: readonly string[], receivedUpTo: Date): PgSql => pgSql`
  DELETE FROM events
  WHERE project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[]) AND received_at <= ${bound(receivedUpTo)}
  RETURNING uuid, event, block`;

/** Returns the uuid of the last of the next `events` events; null if the log has fewer. */
export const endOfPiece = async (
  client: Queryable,
  projectId: number,
  after: string | null,
  events: number,
): Promise<string | null> => {
  const { rows } = await client.query<{ uuid: string }>(selectEnd(projectId, after, events));
  return rows[0]?.uuid ?? null;
};

export interface ExpiredEvents {
  readonly byName: ReadonlyMap<string, number>;
  readonly removed: number;
  /** True if the limit was reached, so that more may remain in the piece. */
  readonly more: boolean;
}

/**
 * Removes at most `limit` expired events of a piece: from the log in the caller's transaction, and from ClickHouse shortly
 * after.
 */
export const removeExpiredEvents = async (
  client: ClientBase,
  projectId: number,
  rule: ExpiryRule,
  piece: LogPiece,
  limit: number,
  now: Date,
): Promise<ExpiredEvents> => {
  const latest = latestExpiry(rule);
  const byName = new Map<string, number>();
  if (!latest) return { byName, removed: 0, more: false };
  const { rows } = await client.query<{ uuid: string }>(selectExpired(projectId, rule, latest, piece, limit));
  if (rows.length === 0) return { byName, removed: 0, more: false };
  const uuids = rows.map(({ uuid }) => uuid);
  const { rows: removed } = await client.query<{ uuid: string; event: string; block: string | null }>(
    deleteByUuid(projectId, uuids, rule.receivedUpTo),
  );
  await leaveBlocks(
    client,
    projectId,
    removed.map(({ block }) => block),
  );
  await enqueue(client, projectId, [{ kind: 'removed_events', refs: removed.map(({ uuid }) => uuid) }], now);
  for (const { event } of removed) byName.set(event, (byName.get(event) ?? 0) + 1);
  return { byName, removed: removed.length, more: rows.length === limit };
};

/** Returns the uuids that the log has. */
export const loggedEvents = async (
  client: Queryable,
  projectId: number,
  uuids: readonly string[],
): Promise<string[]> => {
  const { rows } = await client.query<{ uuid: string }>(
    pgSql`SELECT uuid FROM events WHERE project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[])`,
  );
  return rows.map(({ uuid }) => uuid);
};
