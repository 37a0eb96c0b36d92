import { type ClientBase } from 'pg';
import { type LoggedChange } from '../../persons/undo/replay.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { withProperties } from '../../projection/sealed/sealed-properties.js';
import { type JsonObject } from '../normalise/json.js';
import { loggedIdentity } from '../normalise/normalise.js';

/** The cursor sorts keys, not events. Events of one commit count in the order of their times. */
const declareCursor = (projectId: number, distinctIds: readonly string[], since: Date): PgSql => pgSql`
  DECLARE events_since NO SCROLL CURSOR FOR
  SELECT e.uuid FROM unnest(${bound(distinctIds)}::text[]) AS input (distinct_id)
  CROSS JOIN LATERAL (
    SELECT * FROM events
    WHERE project_id = ${bound(projectId)} AND distinct_id = input.distinct_id AND received_at >= ${bound(since)}
    OFFSET 0
  ) AS e
  ORDER BY e.received_at, e.timestamp, e.uuid`;

interface EventRow {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: Date;
  readonly received_at: Date;
  readonly properties: JsonObject;
}

type StoredRow = Omit<EventRow, 'properties'> & {
  readonly properties: JsonObject | null;
  readonly block: string | null;
};

const selectByUuid = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`
  SELECT e.uuid, e.event, e.distinct_id, e.timestamp, e.received_at, e.properties, e.block
  FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, position)
  CROSS JOIN LATERAL (
    SELECT * FROM events WHERE project_id = ${bound(projectId)} AND uuid = requested.uuid LIMIT 1
  ) AS e
  ORDER BY requested.position`.named('events-since');

/** Few enough that the event loop is not held up by what is done with them. */
const eventsAtOnce = 500;

/** Reads the events of some distinct ids in the order in which they were received, in constant memory. */
export const readEventsSince = async (
  client: ClientBase,
  projectId: number,
  { distinctIds, since }: { readonly distinctIds: readonly string[]; readonly since: Date },
  take: (event: LoggedChange) => void,
): Promise<void> => {
  await client.query(declareCursor(projectId, distinctIds, since));
  for (;;) {
    const { rows } = await client.query<{ uuid: string }>(`FETCH ${eventsAtOnce} FROM events_since`);
    if (rows.length === 0) break;
    const uuids = rows.map(({ uuid }) => uuid);
    const events = await client.query<StoredRow>(selectByUuid(projectId, uuids));
    for (const row of await withProperties(client, projectId, events.rows)) take(changeOf(row));
  }
  await client.query('CLOSE events_since');
};

const changeOf = ({ uuid, event, distinct_id, timestamp, received_at, properties }: EventRow): LoggedChange => {
  const { person, merge, identifies } = loggedIdentity(event, distinct_id, properties);
  return {
    uuid,
    distinctId: distinct_id,
    timestamp,
    receivedAt: received_at,
    person,
    identifies,
    otherDistinctId: merge?.otherDistinctId ?? null,
  };
};
