import { type Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { withProperties } from '../../projection/sealed/sealed-properties.js';

export interface LoggedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly timestamp: Date;
  readonly properties: Record<string, unknown>;
}

/** The cursor sorts keys, not events: the keys of a person with a million events take a few megabytes. */
const declareCursor = (projectId: number, personId: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    DECLARE person_log NO SCROLL CURSOR FOR
    SELECT e.uuid FROM events AS e
    WHERE e.project_id = ${project} AND e.distinct_id IN (
      SELECT d.distinct_id FROM person_distinct_ids AS d
      WHERE d.project_id = ${project} AND d.person_id = ${bound(personId)}::bigint
    )
    ORDER BY e.timestamp, e.received_at, e.uuid`;
};

const selectByUuid = (projectId: number, uuids: readonly string[]): PgSql =>
  pgSql`
  SELECT e.uuid, e.event, e.timestamp, e.properties, e.block
  FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, position)
  CROSS JOIN LATERAL (
    SELECT * FROM events WHERE project_id = ${bound(projectId)} AND uuid = requested.uuid LIMIT 1
  ) AS e
  ORDER BY requested.position`.named('person-log-events');

interface LoggedRow extends Omit<LoggedEvent, 'properties'> {
  readonly properties: Record<string, unknown> | null;
  readonly block: string | null;
}

const eventsAtOnce = 1000;

/**
 * Reads all events of the distinct ids that belong to the person now, in the order of time and in constant memory: `take`
 * gets one batch after the other.
 */
export const readPersonLog = (
  postgres: Postgres,
  projectId: number,
  personId: number,
  take: (events: readonly LoggedEvent[]) => Promise<void>,
): Promise<void> =>
  postgres.transaction(
    async (client) => {
      await client.query(declareCursor(projectId, personId));
      for (;;) {
        const { rows } = await client.query<{ uuid: string }>(`FETCH ${eventsAtOnce} FROM person_log`);
        if (rows.length === 0) return;
        const events = await client.query<LoggedRow>(
          selectByUuid(
            projectId,
            rows.map(({ uuid }) => uuid),
          ),
        );
        await take(await withProperties(client, projectId, events.rows));
      }
    },
    { snapshot: true },
  );
