import { type Postgres } from '../../stores/postgres/postgres.js';

export interface LoggedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly timestamp: Date;
  readonly properties: Record<string, unknown>;
}

/** Keys are sorted, not events: a person of a million events sorts some megabytes. */
const declare = `
  DECLARE person_log NO SCROLL CURSOR FOR
  SELECT e.uuid FROM events AS e
  WHERE e.project_id = $1 AND e.distinct_id IN (
    SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.person_id = $2::bigint
  )
  ORDER BY e.timestamp, e.received_at, e.uuid`;

const select = `
  SELECT e.uuid, e.event, e.timestamp, e.properties
  FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (uuid, place)
  CROSS JOIN LATERAL (SELECT * FROM events WHERE project_id = $1 AND uuid = wanted.uuid LIMIT 1) AS e
  ORDER BY wanted.place`;

const eventsAtOnce = 1000;

/**
 * Everything said under the distinct ids that mean the person now, in the order of time, at constant memory: `take` gets
 * some events after the others.
 */
export const readPersonLog = (
  postgres: Postgres,
  projectId: number,
  personId: number,
  take: (events: readonly LoggedEvent[]) => Promise<void>,
): Promise<void> =>
  postgres.transaction(
    async (client) => {
      await client.query(declare, [projectId, personId]);
      for (;;) {
        const { rows } = await client.query<{ uuid: string }>(`FETCH ${eventsAtOnce} FROM person_log`);
        if (rows.length === 0) return;
        const events = await client.query<LoggedEvent>({
          name: 'person-log-events',
          text: select,
          values: [projectId, rows.map(({ uuid }) => uuid)],
        });
        await take(events.rows);
      }
    },
    { snapshot: true },
  );
