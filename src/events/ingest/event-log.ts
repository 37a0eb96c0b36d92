import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { applyIdentity } from '../../persons/identity/apply-identity.js';
import { type MemberMoves } from '../../persons/member-moves.js';
import { instantArray, offHeapTextArray, textArray } from '../../stores/postgres/binary-array.js';
import { type Last } from '../../stores/postgres/transaction.js';
import { type LoggableEvent } from './loggable.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

// The lists are inserted row by row, in the order of uuids, so that two transactions with the same events wait for each
// other in one direction only. When all events are new, which is the usual case, no uuid is returned. The same statement
// records them as arrivals, so that live streams cost ingestion no round trip.
const insertEvents = `
  WITH added AS (
    INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
    SELECT $1, new.uuid::uuid, new.event, new.distinct_id, new.timestamp, $2, new.properties::jsonb
    FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
      AS new (uuid, event, distinct_id, timestamp, properties)
    ON CONFLICT DO NOTHING
    RETURNING uuid
  ), arrived AS (
    INSERT INTO arrivals (project_id, xid, uuids, size, received_at)
    SELECT $1, pg_current_xact_id()::text::bigint, array_agg(uuid), count(*), $2 FROM added HAVING count(*) > 0
  )
  SELECT CASE WHEN count(*) < cardinality($3::text[]) THEN coalesce(array_agg(uuid), '{}') END AS added FROM added`;

/** The events that were not yet in the log, in the order received. Their persons have not been processed yet. */
export interface LoggedEvents {
  readonly projectId: number;
  readonly receivedAt: Date;
  readonly fresh: readonly LoggableEvent[];
}

/**
 * Writes the events of one project in the caller's transaction: first to the log, which shows which are new, then to the
 * persons of the new ones. Returns the number of new events.
 */
export const writeEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly LoggableEvent[],
  receivedAt: Date,
  members: MemberMoves,
): Promise<number> => {
  const logged = await logEvents(client, projectId, events, receivedAt);
  await applyEvents(client, logged, members);
  return logged.fresh.length;
};

/** The first half. It waits only for transactions that write the same uuids. */
export const logEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly LoggableEvent[],
  receivedAt: Date,
): Promise<LoggedEvents> => {
  const unique = firstMentions(events);
  const sorted = [...unique].sort(byUuid);
  const { rows } = await client.query<{ added: string[] | null }>({
    name: 'events-insert',
    text: insertEvents,
    values: [
      projectId,
      receivedAt,
      textArray(sorted, uuidOf),
      textArray(sorted, nameOf),
      textArray(sorted, distinctIdOf),
      instantArray(sorted, timestampOf),
      offHeapTextArray(sorted, propertiesOf),
    ],
  });
  const added = rows[0]?.added && new Set(rows[0].added);
  return { projectId, receivedAt, fresh: added ? unique.filter(({ uuid }) => added.has(uuid)) : unique };
};

// These are named functions because V8 drops the machine code of a function without references and compiles it again for
// the next group.
const uuidOf = ({ uuid }: LoggableEvent): string => uuid;
const nameOf = ({ event }: LoggableEvent): string => event;
const distinctIdOf = ({ distinctId }: LoggableEvent): string => distinctId;
const timestampOf = ({ timestamp }: LoggableEvent): Date => timestamp;
const propertiesOf = ({ properties }: LoggableEvent): LoggableEvent['properties'] => properties;
const byUuid = (a: LoggableEvent, b: LoggableEvent): number => (a.uuid < b.uuid ? -1 : 1);

/** Keeps the first of several events with one uuid, so that a repeated event stays before those that came in between. */
const firstMentions = (events: readonly LoggableEvent[]): LoggableEvent[] => {
  const byUuid = new Map<string, LoggableEvent>();
  for (const event of events) if (!byUuid.has(event.uuid)) byUuid.set(event.uuid, event);
  return [...byUuid.values()];
};

/** The second half. */
export const applyEvents = async (
  client: ClientBase,
  { projectId, receivedAt, fresh }: LoggedEvents,
  members: MemberMoves,
  last?: Last,
): Promise<void> => {
  if (fresh.length === 0) return;
  const shipped = { kind: 'events', refs: fresh.map(uuidOf) } as const;
  const { warnings } = await applyIdentity(client, projectId, fresh, receivedAt, {
    members,
    alsoShipped: [shipped],
    last,
  });
  await writeWarnings(client, projectId, [...warningsOf(fresh), ...warnings], receivedAt);
};

const warningsOf = (events: readonly LoggableEvent[]): Warning[] => {
  const all: Warning[] = [];
  for (const { uuid, distinctId, warnings } of events) {
    for (const { type, detail } of warnings) all.push({ type, detail, eventUuid: uuid, distinctId });
  }
  return all;
};

interface Warning {
  readonly type: string;
  readonly detail: string;
  readonly eventUuid: string;
  readonly distinctId: string;
}

/** A faulty client repeats one warning in masses. The first few of each type in a commit tell as much as all of them. */
const warningsPerKind = 10;

const insertWarnings = (projectId: number, rows: string, now: Date): PgSql =>
  pgSql`
    INSERT INTO ingestion_warnings (project_id, id, type, detail, event_uuid, distinct_id, created_at)
    SELECT ${bound(projectId)}, new.id, new.type, new.detail, new.event_uuid, new.distinct_id, ${bound(now)}
    FROM json_to_recordset(${bound(rows)}::json)
      AS new (id uuid, type text, detail text, event_uuid uuid, distinct_id text)`.named('warnings-insert');

const writeWarnings = async (
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
