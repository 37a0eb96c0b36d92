import { type ClientBase } from 'pg';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { withProperties } from '../../kernel/projection/blocks/block-properties.js';
import { type JsonObject } from '../../kernel/event-log/normalise/json.js';

export interface LoggedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: Date;
  readonly received_at: Date;
  readonly properties: JsonObject;
}

const selectByUuid = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`
  SELECT e.uuid, e.event, e.distinct_id, e.timestamp, e.received_at, e.properties, e.block
  FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, position)
  CROSS JOIN LATERAL (
    SELECT * FROM events WHERE project_id = ${bound(projectId)} AND uuid = requested.uuid LIMIT 1
  ) AS e
  ORDER BY requested.position`.named('person-log-events');

interface LoggedRow extends Omit<LoggedEvent, 'properties'> {
  readonly properties: JsonObject | null;
  readonly block: string | null;
}

/** This many events are handled together, few enough not to block the event loop for long. */
const eventsAtOnce = 1000;

/**
 * Reads the events whose uuids a statement selects, in its order, and passes them to `take` in batches, in constant memory. The
 * cursor sorts keys instead of events: the keys of a person with a million events take a few megabytes.
 */
export const readLog = async (
  client: ClientBase,
  projectId: number,
  uuids: PgSql,
  take: (events: readonly LoggedEvent[]) => Promise<void> | void,
): Promise<void> => {
  await client.query(pgSql`DECLARE person_log NO SCROLL CURSOR FOR ${uuids}`);
  for (;;) {
    const { rows } = await client.query<{ uuid: string }>(`FETCH ${eventsAtOnce} FROM person_log`);
    if (rows.length === 0) break;
    const keys = rows.map(({ uuid }) => uuid);
    const events = await client.query<LoggedRow>(selectByUuid(projectId, keys));
    await take(await withProperties(client, projectId, events.rows));
  }
  await client.query('CLOSE person_log');
};

/** Reads all events of the distinct ids that the person has now, in the order of time. */
export const readPersonLog = (
  postgres: Postgres,
  projectId: number,
  personId: number,
  take: (events: readonly LoggedEvent[]) => Promise<void>,
): Promise<void> => {
  const project = bound(projectId);
  const uuids = pgSql`
    SELECT e.uuid FROM events AS e
    WHERE e.project_id = ${project} AND e.distinct_id IN (
      SELECT d.distinct_id FROM person_distinct_ids AS d
      WHERE d.project_id = ${project} AND d.person_id = ${bound(personId)}::bigint
    )
    ORDER BY e.timestamp, e.received_at, e.uuid`;
  return postgres.transaction((client) => readLog(client, projectId, uuids, take), { snapshot: true });
};
