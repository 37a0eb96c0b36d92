import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { OffHeapText } from '../../platform/values/off-heap-text.js';
import { isProjected, projectedProperties } from '../projection/schema/property.sql.js';
import { type NormalisedEvent } from './normalise/normalise.js';
import { applyIdentity } from '../identity/apply-identity.js';
import { type MemberMoves } from '../identity/member-moves.js';
import {
  bytesArray,
  instantArray,
  integerArray,
  offHeapTextArray,
  textArray,
} from '../../platform/postgres/binary-array.js';
import { topology } from '../../platform/postgres/topology.js';
import { type Last } from '../../platform/postgres/transaction.js';
import { applyGroups } from '../groups/apply-groups.js';
import { type OutboxEntry, type TakenProjects } from '../projection/outbox/outbox.js';
import { leaveNewBlocks, newBlocks, type NewBlock } from './compression/new-blocks.js';

interface Warning {
  readonly type: string;
  readonly detail: string;
  /** Null: the warning is about the project. */
  readonly eventUuid: string | null;
  readonly distinctId: string | null;
}

/** A faulty client repeats one warning in masses. The first few of each type in a commit tell as much as all of them. */
const warningsPerKind = 10;

const insertWarnings = (projectId: number, rows: string, now: Date): PgSql =>
  pgSql`
    INSERT INTO ingestion_warnings (project_id, id, type, detail, event_uuid, distinct_id, created_at)
    SELECT ${bound(projectId)}, new.id, new.type, new.detail, new.event_uuid, new.distinct_id, ${bound(now)}
    FROM json_to_recordset(${bound(rows)}::json)
      AS new (id uuid, type text, detail text, event_uuid uuid, distinct_id text)`.named('warnings-insert');

export const writeWarnings = async (
  client: ClientBase,
  projectId: number,
  warnings: readonly Warning[],
  now: Date,
): Promise<void> => {
  const counts = new Map<string, number>();
  const written = warnings.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= warningsPerKind;
  });
  if (written.length === 0) return;
  const rows = written.map(({ type, detail, eventUuid, distinctId }) => ({
    id: uuidv7(),
    type,
    detail,
    event_uuid: eventUuid,
    distinct_id: distinctId,
  }));
  await client.query(insertWarnings(projectId, JSON.stringify(rows), now));
};

/** A normalised event with serialised properties: while it waits for its commit, only their text is held in memory. */
export interface LoggableEvent extends Omit<NormalisedEvent, 'properties'> {
  /** The properties as JSON. */
  readonly properties: OffHeapText;
  /** The properties in the form of ClickHouse, which is mostly the same text. */
  readonly projected: OffHeapText;
}

export const loggable = (event: NormalisedEvent): LoggableEvent => {
  const { properties } = event;
  const written = OffHeapText.of(JSON.stringify(properties));
  return {
    uuid: event.uuid,
    event: event.event,
    distinctId: event.distinctId,
    timestamp: event.timestamp,
    properties: written,
    projected: isProjected(properties) ? written : OffHeapText.of(JSON.stringify(projectedProperties(properties))),
    person: event.person,
    merge: event.merge,
    identifies: event.identifies,
    groups: event.groups,
    groupChange: event.groupChange,
    warnings: event.warnings,
  };
};

/**
 * How the new events are counted for their day, in UTC: `later`, with the arrivals of the last minutes; `now`, where the caller
 * has locked the row of the day to compare it with a quota; `never`, for events that the service itself writes.
 */
type Counting = 'later' | 'now' | 'never';

const addToDay = `, counted AS (
    UPDATE event_days SET events = events + (SELECT count(*) FROM added)
    WHERE project_id = $1 AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date
  )`;

// The same statement records the new events as arrivals, so that live streams cost ingestion no round trip.
const recordArrival = (uncounted: 'count(*)' | '0'): string => `, arrived AS (
    INSERT INTO arrivals (project_id, xid, uuids, size, received_at, uncounted)
    SELECT $1, pg_current_xact_id()::text::bigint, array_agg(uuid), count(*), $2, ${uncounted} FROM added HAVING count(*) > 0
  )`;

// The rows of new blocks, whose events come after them.
const insertBlocks = `
    INSERT INTO event_blocks (project_id, id, day, body, removals)
    SELECT $1, block.id::uuid, ($2::timestamptz AT TIME ZONE 'UTC')::date, block.body, 0
    FROM unnest($10::text[], $11::bytea[]) AS block (id, body)`;

const inRows = {
  columns: 'properties',
  values: 'new.properties::jsonb',
  from: `unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
      AS new (uuid, event, distinct_id, timestamp, properties)`,
} as const;

const inBlocks = {
  columns: 'properties, block, properties_bytes',
  values: `nullif(new.properties, '')::jsonb, nullif(new.block, '')::uuid, nullif(new.bytes, 0)`,
  from: `unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[], $9::integer[])
      AS new (uuid, event, distinct_id, timestamp, properties, block, bytes)`,
} as const;

// The lists are inserted row by row, in the order of uuids, so that two transactions with the same events wait for each
// other in one direction only. When all events are new, which is the usual case, no uuid is returned.
const insertEvents = ({ columns, values, from }: typeof inRows | typeof inBlocks, also: string): string => `
  WITH added AS (
    INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, ${columns})
    SELECT $1, new.uuid::uuid, new.event, new.distinct_id, new.timestamp, $2, ${values}
    FROM ${from}
    ON CONFLICT DO NOTHING
    RETURNING uuid
  )${also}
  SELECT CASE WHEN count(*) < cardinality($3::text[]) THEN coalesce(array_agg(uuid), '{}') END AS added FROM added`;

interface Statement {
  readonly name: string;
  readonly text: string;
}

const insertStatements = (name: string, also: string) => ({
  inRows: { name, text: insertEvents(inRows, also) },
  inBlocks: { name: `${name}-in-blocks`, text: insertEvents(inBlocks, `${also}, blocks AS (${insertBlocks})`) },
});

const statements: Readonly<Record<Counting, Readonly<Record<'inRows' | 'inBlocks', Statement>>>> = {
  later: insertStatements('events-insert', recordArrival('count(*)')),
  now: insertStatements('events-insert-counted', recordArrival('0') + addToDay),
  never: insertStatements('events-insert-uncounted', recordArrival('0')),
};

const insertAlone = { name: 'events-insert-at-node', text: insertEvents(inRows, '') };

const addToDayAlone = (projectId: number, receivedAt: Date, events: number): PgSql =>
  pgSql`
    INSERT INTO event_days AS d (project_id, day, events)
    VALUES (${bound(projectId)}, (${bound(receivedAt)}::timestamptz AT TIME ZONE 'UTC')::date, ${bound(events)})
    ON CONFLICT (project_id, day) DO UPDATE SET events = d.events + excluded.events`.named('event-day-add');

/** The events that were not yet in the log, in the order received. Their persons have not been processed yet. */
export interface LoggedEvents {
  readonly projectId: number;
  readonly receivedAt: Date;
  readonly fresh: readonly LoggableEvent[];
  /**
   * With `without_event_quota`, a quota that the project got meanwhile makes the transaction fail, because it was not compared.
   */
  readonly taken: TakenProjects;
}

/**
 * Writes events of the service itself, which no quota counts, in the caller's transaction. Writes them first to the log, which
 * shows which of them are new, then changes the persons of the new events. Returns the number of new events.
 */
export const writeEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly LoggableEvent[],
  receivedAt: Date,
  members: MemberMoves,
): Promise<number> => {
  const logged = await logEvents(client, projectId, events, receivedAt, 'never');
  await applyEvents(client, logged, members);
  return logged.fresh.length;
};

/** The first half of `writeEvents`: writes events to the log. It waits only for transactions that write the same uuids. */
export const logEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly LoggableEvent[],
  receivedAt: Date,
  counting: Counting,
): Promise<LoggedEvents> => {
  const unique = firstMentions(events);
  const sorted = [...unique].sort(byUuid);
  const { mayCountWrites } = topology();
  // A statement on a node of Citus writes to one table.
  const blocks = mayCountWrites ? await newBlocks(sorted) : [];
  const { rows } = await client.query<{ added: string[] | null }>({
    ...(mayCountWrites ? statements[counting][blocks.length > 0 ? 'inBlocks' : 'inRows'] : insertAlone),
    values: [
      projectId,
      receivedAt,
      textArray(sorted, uuidOf),
      textArray(sorted, nameOf),
      textArray(sorted, distinctIdOf),
      instantArray(sorted, timestampOf),
      ...(blocks.length > 0 ? propertiesInBlocks(sorted, blocks) : [offHeapTextArray(sorted, propertiesOf)]),
    ],
  });
  const added = rows[0]?.added && new Set(rows[0].added);
  const fresh = added ? unique.filter(({ uuid }) => added.has(uuid)) : unique;
  if (added) await leaveNewBlocks(client, projectId, blocks, added);
  if (!mayCountWrites && counting !== 'never' && fresh.length > 0)
    await client.query(addToDayAlone(projectId, receivedAt, fresh.length));
  return { projectId, receivedAt, fresh, taken: counting === 'later' ? 'without_event_quota' : 'existing' };
};

const noText = OffHeapText.of('');

/** The parameters for properties: those of an event are in its row, or in the body of its block. */
const propertiesInBlocks = (events: readonly LoggableEvent[], blocks: readonly NewBlock[]): Buffer[] => {
  const blockOf = new Map(blocks.flatMap(({ id, events: inIt }) => inIt.map(({ uuid }) => [uuid, id] as const)));
  return [
    offHeapTextArray(events, ({ uuid, properties }) => (blockOf.has(uuid) ? noText : properties)),
    textArray(events, ({ uuid }) => blockOf.get(uuid) ?? ''),
    integerArray(events, ({ uuid, properties }) => (blockOf.has(uuid) ? properties.bytes : 0)),
    textArray(blocks, ({ id }) => id),
    bytesArray(blocks, ({ body }) => body),
  ];
};

// These are named functions because V8 drops the machine code of a function without references and compiles it again for
// the next group.
const uuidOf = ({ uuid }: LoggableEvent): string => uuid;
const nameOf = ({ event }: LoggableEvent): string => event;
const distinctIdOf = ({ distinctId }: LoggableEvent): string => distinctId;
const timestampOf = ({ timestamp }: LoggableEvent): Date => timestamp;
const propertiesOf = ({ properties }: LoggableEvent): LoggableEvent['properties'] => properties;
const byUuid = (a: LoggableEvent, b: LoggableEvent): number => (a.uuid < b.uuid ? -1 : 1);

/** Keeps the first of several events with one uuid, so that a repeated event stays before events that came in between. */
const firstMentions = (events: readonly LoggableEvent[]): LoggableEvent[] => {
  const byUuid = new Map<string, LoggableEvent>();
  for (const event of events) if (!byUuid.has(event.uuid)) byUuid.set(event.uuid, event);
  return [...byUuid.values()];
};

/** The second half of `writeEvents`: applies the new events to groups and persons, and queues them for ClickHouse. */
export const applyEvents = async (
  client: ClientBase,
  { projectId, receivedAt, fresh, taken }: LoggedEvents,
  members: MemberMoves,
  last?: Last,
): Promise<void> => {
  if (fresh.length === 0) return;
  const groups = await applyGroups(client, projectId, fresh, receivedAt);
  const shipped: OutboxEntry[] = [
    { kind: 'events', refs: fresh.map(uuidOf), isArrival: true },
    { kind: 'groups', refs: groups.changed },
  ];
  const { warnings } = await applyIdentity(client, projectId, fresh, receivedAt, {
    members,
    alsoShipped: shipped,
    last,
    taken,
  });
  await writeWarnings(client, projectId, [...warningsOf(fresh), ...groups.warnings, ...warnings], receivedAt);
};

const warningsOf = (events: readonly LoggableEvent[]): Warning[] => {
  const all: Warning[] = [];
  for (const { uuid, distinctId, warnings } of events) {
    for (const { type, detail } of warnings) all.push({ type, detail, eventUuid: uuid, distinctId });
  }
  return all;
};
