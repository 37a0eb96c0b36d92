import { eventsTable } from '../stores/clickhouse/schema/projected-tables.js';
import { projectedProperties } from '../stores/clickhouse/schema/properties.js';
import { propertiesBytes, storableInstant, type Cargo } from './cargo.js';
import { personlessActor } from './personless-actor.js';

interface EventRow {
  uuid: string;
  event: string;
  distinct_id: string;
  person_id: string | null;
  timestamp: string;
  received_at: string;
  properties: object;
}

/**
 * Key by key through the primary key. Left to choose, the planner reads a whole project instead when its statistics are
 * old, as they are for a new project.
 */
const select = `
  SELECT e.uuid, e.event, e.distinct_id, d.person_id, ${storableInstant('e.timestamp')} AS timestamp,
    ${storableInstant('e.received_at')} AS received_at, e.properties
  FROM unnest($2::uuid[]) AS wanted (uuid)
  CROSS JOIN LATERAL (SELECT * FROM events WHERE project_id = $1 AND uuid = wanted.uuid LIMIT 1) e
  LEFT JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids WHERE project_id = $1 AND distinct_id = e.distinct_id LIMIT 1
  ) d ON true`;

const sizes = `
  SELECT array_agg(coalesce(e.bytes, 0) ORDER BY wanted.at) AS bytes
  FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (uuid, at)
  LEFT JOIN LATERAL (
    SELECT ${propertiesBytes} AS bytes FROM events WHERE project_id = $1 AND uuid = wanted.uuid LIMIT 1
  ) e ON true`;

/** Events as they were said, with the person they belong to at the moment of reading. */
export const eventsCargo: Cargo = {
  kind: 'events',
  table: eventsTable,
  sizes: async (reader, projectId, keys) => {
    const { rows } = await reader.query<{ bytes: number[] }>(sizes, [projectId, keys]);
    return rows[0]?.bytes ?? [];
  },
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<EventRow>({
      name: 'projection-events',
      text: select,
      values: [projectId, keys],
    });
    const found = new Set(rows.map(({ uuid }) => uuid));
    return { rows: rows.map((row) => projected(projectId, row, version)), gone: keys.filter((key) => !found.has(key)) };
  },
};

const projected = (projectId: number, row: EventRow, version: string) => ({
  project_id: projectId,
  uuid: row.uuid,
  event: row.event,
  distinct_id: row.distinct_id,
  actor: row.person_id ?? personlessActor(projectId, row.distinct_id),
  timestamp: row.timestamp,
  received_at: row.received_at,
  properties: projectedProperties(row.properties),
  version,
});
