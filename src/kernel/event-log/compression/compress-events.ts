import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type BlockEvent, toBody } from '../../projection/blocks/block-body.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/**
 * With this many events in a block, a single one is read in less than a tenth of a millisecond, and the block has a sixth of
 * their size.
 */
export const eventsInBlock = 32;
const bytesInBlock = 256 * 1024;
/** This many events are in memory at a time, all of which may have the largest size. */
const eventsAtOnce = 256;
/** Larger properties stay in their rows: PostgreSQL compresses them by itself, and they would fill blocks alone. */
export const largestBytes = 64 * 1024;

interface UncompressedEvent extends BlockEvent {
  readonly day: string;
  /** The transaction that wrote this version of the row. */
  readonly xmin: string;
}

const bytesOfProperties = ({ properties }: BlockEvent): number => Buffer.byteLength(properties);

/** Looks up key by key, because the planner would otherwise join with the whole project. */
const selectUncompressed = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`
  SELECT e.uuid, (e.received_at AT TIME ZONE 'UTC')::date::text AS day, e.xmin::text AS xmin, e.properties::text AS properties
  FROM unnest(${bound(uuids)}::uuid[]) AS requested (uuid)
  CROSS JOIN LATERAL (
    SELECT *, xmin FROM events WHERE project_id = ${bound(projectId)} AND uuid = requested.uuid AND block IS NULL LIMIT 1
  ) AS e
  WHERE pg_column_size(e.properties) <= ${bound(largestBytes)}
  ORDER BY day, e.uuid`.named('unsealed-events');

const insertBlock = (projectId: number, id: string, day: string, body: Buffer): PgSql =>
  pgSql`INSERT INTO event_blocks (project_id, id, day, body, removals)
    VALUES (${bound(projectId)}, ${bound(id)}, ${bound(day)}, ${bound(body)}, 0)`.named('event-block-insert');

/**
 * Updates rows in place, because no index has any of these columns. An event that was scrubbed, or deleted and sent again, since
 * it was read is in another version of the row, and keeps its properties.
 */
const moveToBlock = (projectId: number, id: string, events: readonly UncompressedEvent[]): PgSql => {
  const uuids = bound(events.map(({ uuid }) => uuid));
  const versions = bound(events.map(({ xmin }) => xmin));
  const bytes = bound(events.map(bytesOfProperties));
  return pgSql`
    UPDATE events AS e SET block = ${bound(id)}, properties = NULL, properties_bytes = moved.bytes
    FROM unnest(${uuids}::uuid[], ${versions}::text[]::xid[], ${bytes}::integer[]) AS moved (uuid, version, bytes)
    WHERE e.project_id = ${bound(projectId)} AND e.uuid = ANY (${uuids}::uuid[]) AND e.uuid = moved.uuid
      AND e.xmin = moved.version AND e.block IS NULL`.named('event-block-take');
};

/**
 * Notes that the blocks have properties of events that are no longer theirs. A cleaning that is under way sees that the number
 * has changed.
 */
const markRemoval = (projectId: number, ids: readonly string[]): PgSql => pgSql`
  UPDATE event_blocks SET removals = removals + 1 WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::uuid[])`;

/**
 * Moves the properties of these events into blocks, in the caller's transaction; large ones stay. Returns the number of events
 * that were moved.
 */
export const compressEvents = async (
  client: ClientBase,
  projectId: number,
  uuids: readonly string[],
): Promise<number> => {
  const sorted = [...uuids].sort();
  let compressed = 0;
  for (let from = 0; from < sorted.length; from += eventsAtOnce)
    compressed += await compressSome(client, projectId, sorted.slice(from, from + eventsAtOnce));
  return compressed;
};

const compressSome = async (client: ClientBase, projectId: number, uuids: readonly string[]): Promise<number> => {
  const { rows } = await client.query<UncompressedEvent>(selectUncompressed(projectId, uuids));
  let compressed = 0;
  const measures = { bytesOf: bytesOfProperties, dayOf: ({ day }: UncompressedEvent) => day };
  for (const events of inBlocks(rows, measures)) {
    const day = events[0]?.day ?? '';
    const id = uuidv7();
    const body = await toBody(events);
    await client.query(insertBlock(projectId, id, day, body));
    const { rowCount } = await client.query(moveToBlock(projectId, id, events));
    const moved = rowCount ?? 0;
    // The events that were not moved were deleted since they were read, or compressed by another process.
    if (moved < events.length) await client.query(markRemoval(projectId, [id]));
    compressed += moved;
  }
  return compressed;
};

/** Call it in the transaction after which these blocks have properties of events that are not theirs. */
export const leaveBlocks = async (
  client: ClientBase,
  projectId: number,
  blocks: readonly (string | null)[],
): Promise<void> => {
  const remaining = new Set(blocks.filter((block) => block !== null));
  if (remaining.size > 0) await client.query(markRemoval(projectId, [...remaining].sort()));
};

interface Measures<Event> {
  readonly bytesOf: (event: Event) => number;
  /** Events of two days are never in one block. Expects the events in the order of their days. */
  readonly dayOf?: (event: Event) => string;
}

/** Divides events into blocks evenly, so that no block has few. */
export const inBlocks = <Event>(
  events: readonly Event[],
  { bytesOf, dayOf = () => '' }: Measures<Event>,
): (readonly Event[])[] => {
  const most = Math.ceil(events.length / Math.max(1, Math.floor(events.length / eventsInBlock)));
  const blocks: Event[][] = [];
  let bytes = 0;
  for (const event of events) {
    const block = blocks.at(-1);
    bytes += bytesOf(event);
    if (block?.[0] && dayOf(block[0]) === dayOf(event) && block.length < most && bytes <= bytesInBlock) {
      block.push(event);
    } else {
      blocks.push([event]);
      bytes = bytesOf(event);
    }
  }
  return blocks;
};
