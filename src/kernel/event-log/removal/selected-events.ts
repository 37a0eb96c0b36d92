import { type ClientBase } from 'pg';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { blockProperties, type PlacedEvent } from '../../projection/blocks/block-properties.js';
import { enqueue } from '../../projection/outbox/outbox.js';
import { leaveBlocks } from '../compression/compress-events.js';
import { queueUncompressed } from '../compression/uncompressed.js';
import { deleteEvents } from './remove-events.js';
import { scrubbed, type Scrub } from './scrub.js';

/** Events that were selected one by one. Those received after the moment were sent again since, and stay. */
export interface SelectedEvents {
  readonly uuids: readonly string[];
  readonly receivedUpTo: Date;
  /** The parts to remove; null: the whole events. */
  readonly scrub: Scrub | null;
}

interface LoggedProperties extends PlacedEvent {
  /** As JSON; null when a block has them. */
  readonly properties: string | null;
}

const matching = (projectId: number, { uuids, receivedUpTo }: SelectedEvents): PgSql => pgSql`
  project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[]) AND received_at <= ${bound(receivedUpTo)}`;

const selectProperties = (projectId: number, selected: SelectedEvents): PgSql =>
  pgSql`SELECT uuid, block, properties::text AS properties FROM events WHERE ${matching(projectId, selected)} ORDER BY uuid`;

const ofSelected = (projectId: number, { uuids, receivedUpTo }: SelectedEvents): PgSql => pgSql`
  FROM ingestion_warnings
  WHERE project_id = ${bound(projectId)} AND event_uuid = ANY (${bound(uuids)}::uuid[]) AND created_at <= ${bound(receivedUpTo)}`;

/** The properties of the rows that have some of the parts, as they are without them, by uuid. */
const withoutParts = async (
  reader: Queryable,
  projectId: number,
  rows: readonly LoggedProperties[],
  scrub: Scrub,
): Promise<Map<string, string>> => {
  const inBlocks = await blockProperties(reader, projectId, rows);
  return new Map(
    rows.flatMap(({ uuid, block, properties }) => {
      const text = block === null ? properties : inBlocks.get(uuid);
      const changed = text === null || text === undefined ? null : scrubbed(text, scrub);
      return changed === null ? [] : [[uuid, changed] as const];
    }),
  );
};

/**
 * Properties that were in a block come back to the row, and move into another block later: the cleaning of blocks and files
 * removes what the old block has.
 */
const replaceProperties = (projectId: number, properties: ReadonlyMap<string, string>): PgSql => {
  const uuids = bound([...properties.keys()]);
  return pgSql`
    UPDATE events AS e SET properties = changed.properties::jsonb, block = NULL, properties_bytes = NULL
    FROM unnest(${uuids}::uuid[], ${bound([...properties.values()])}::text[]) AS changed (uuid, properties)
    WHERE e.project_id = ${bound(projectId)} AND e.uuid = ANY (${uuids}::uuid[]) AND e.uuid = changed.uuid`;
};

const scrubEvents = async (
  client: ClientBase,
  projectId: number,
  selected: SelectedEvents & { readonly scrub: Scrub },
  now: Date,
): Promise<number> => {
  const { rows } = await client.query<LoggedProperties>(pgSql`${selectProperties(projectId, selected)} FOR UPDATE`);
  const changed = await withoutParts(client, projectId, rows, selected.scrub);
  if (changed.size === 0) return 0;
  const uuids = [...changed.keys()];
  await client.query(replaceProperties(projectId, changed));
  await leaveBlocks(
    client,
    projectId,
    rows.filter(({ uuid }) => changed.has(uuid)).map(({ block }) => block),
  );
  await queueUncompressed(client, projectId, uuids, now);
  // The rows of earlier shipments go, and the events come again.
  const entries = [
    { kind: 'removed_events', refs: uuids },
    { kind: 'events', refs: uuids },
  ] as const;
  await enqueue(client, projectId, entries, now);
  return changed.size;
};

/**
 * Removes selected events, or parts of them, and the warnings about them: from the log in the caller's transaction, and from
 * ClickHouse shortly after. Returns the number of events that were removed or changed.
 */
export const removeSelected = async (
  client: ClientBase,
  projectId: number,
  selected: SelectedEvents,
  now: Date,
): Promise<number> => {
  await client.query(pgSql`DELETE ${ofSelected(projectId, selected)}`);
  const { uuids, receivedUpTo, scrub } = selected;
  if (scrub) return scrubEvents(client, projectId, { ...selected, scrub }, now);
  return deleteEvents(client, projectId, uuids, receivedUpTo, now);
};

export interface RemainingInLog {
  readonly rows: number;
  readonly warnings: number;
}

/** Counts the selected events that the log has, or that still have one of the parts, wherever their properties are. */
export const countSelected = async (
  postgres: Queryable,
  projectId: number,
  selected: SelectedEvents,
): Promise<RemainingInLog> => {
  const { rows: warned } = await postgres.query<{ number: string }>(
    pgSql`SELECT count(*) AS number ${ofSelected(projectId, selected)}`,
  );
  const { rows } = await postgres.query<LoggedProperties>(selectProperties(projectId, selected));
  const { scrub } = selected;
  const found = scrub ? (await withoutParts(postgres, projectId, rows, scrub)).size : rows.length;
  return { rows: found, warnings: Number(warned[0]?.number) };
};
