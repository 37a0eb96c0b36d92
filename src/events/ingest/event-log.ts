import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { applyIdentity } from '../../persons/identity/apply-identity.js';
import { type NormalisedEvent } from '../normalise/normalise.js';

// jsonb is taken apart in less time than json. The order given is the order written, as the function is read row by row:
// by uuid, so that two transactions with the same events wait for each other in one direction.
const insertEvents = `
  INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
  SELECT $1, new.uuid, new.event, new.distinct_id, new.timestamp, $3, new.properties
  FROM jsonb_to_recordset($2::jsonb)
    AS new (uuid uuid, event text, distinct_id text, timestamp timestamptz, properties jsonb)
  ON CONFLICT DO NOTHING
  RETURNING uuid`;

/** What the log did not hold before, in the order received, with the persons behind it not yet looked at. */
export interface LoggedEvents {
  readonly projectId: number;
  readonly receivedAt: Date;
  readonly fresh: readonly NormalisedEvent[];
  readonly added: ReadonlySet<string>;
  /** By uuid: the properties as JSON. */
  readonly written: ReadonlyMap<string, string>;
}

/**
 * The events of one project, in the caller's transaction: the log first, which tells what is new, then the persons
 * behind what is new. Returns the uuids that are in the log now and were not before.
 */
export const writeEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly NormalisedEvent[],
  receivedAt: Date,
): Promise<ReadonlySet<string>> => {
  const logged = await logEvents(client, projectId, events, receivedAt);
  await applyEvents(client, logged);
  return logged.added;
};

/** The first half. It waits for whoever writes the same uuids, and for nobody else. */
export const logEvents = async (
  client: ClientBase,
  projectId: number,
  events: readonly NormalisedEvent[],
  receivedAt: Date,
): Promise<LoggedEvents> => {
  const unique = firstMentions(events);
  const written = new Map(unique.map(({ uuid, properties }) => [uuid, JSON.stringify(properties)]));
  const { rows } = await client.query<{ uuid: string }>({
    name: 'events-insert',
    text: insertEvents,
    values: [
      projectId,
      `[${[...unique]
        .sort(byUuid)
        .map((event) => rowText(event, written))
        .join(',')}]`,
      receivedAt,
    ],
  });
  const added = new Set(rows.map(({ uuid }) => uuid));
  return { projectId, receivedAt, added, written, fresh: unique.filter(({ uuid }) => added.has(uuid)) };
};

/** Sent again, an event keeps its place before what came between. */
const firstMentions = (events: readonly NormalisedEvent[]): NormalisedEvent[] => {
  const byUuid = new Map<string, NormalisedEvent>();
  for (const event of events) if (!byUuid.has(event.uuid)) byUuid.set(event.uuid, event);
  return [...byUuid.values()];
};

/** The second half. */
export const applyEvents = async (
  client: ClientBase,
  { projectId, receivedAt, fresh }: LoggedEvents,
): Promise<void> => {
  if (fresh.length === 0) return;
  const shipped = { kind: 'events', refs: fresh.map(({ uuid }) => uuid) } as const;
  const { warnings } = await applyIdentity(client, projectId, fresh, receivedAt, [shipped]);
  const said = fresh.flatMap((event) =>
    event.warnings.map(({ type, detail }) => ({ type, detail, eventUuid: event.uuid, distinctId: event.distinctId })),
  );
  await writeWarnings(client, projectId, [...said, ...warnings], receivedAt);
};

const byUuid = (a: { uuid: string }, b: { uuid: string }): number => (a.uuid < b.uuid ? -1 : 1);

/** The properties are the bulk of a row, and written once for all who need them as text. */
const rowText = ({ uuid, event, distinctId, timestamp }: NormalisedEvent, written: ReadonlyMap<string, string>) =>
  `${JSON.stringify({ uuid, event, distinct_id: distinctId, timestamp }).slice(0, -1)},"properties":${written.get(uuid)}}`;

interface Warning {
  readonly type: string;
  readonly detail: string;
  readonly eventUuid: string;
  readonly distinctId: string;
}

/** A broken client says the same thing in masses; the first of a kind in each commit tells as much as all of them. */
const warningsPerKind = 10;

const insertWarnings = `
  INSERT INTO ingestion_warnings (project_id, id, type, detail, event_uuid, distinct_id, created_at)
  SELECT $1, new.id, new.type, new.detail, new.event_uuid, new.distinct_id, $3
  FROM json_to_recordset($2::json) AS new (id uuid, type text, detail text, event_uuid uuid, distinct_id text)`;

const writeWarnings = async (
  client: ClientBase,
  projectId: number,
  warnings: readonly Warning[],
  now: Date,
): Promise<void> => {
  const counts = new Map<string, number>();
  const kept = warnings.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= warningsPerKind;
  });
  if (kept.length === 0) return;
  const rows = kept.map(({ type, detail, eventUuid, distinctId }) => ({
    id: uuidv7(),
    type,
    detail,
    event_uuid: eventUuid,
    distinct_id: distinctId,
  }));
  await client.query({ name: 'warnings-insert', text: insertWarnings, values: [projectId, JSON.stringify(rows), now] });
};
