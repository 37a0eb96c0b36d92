import { type Client } from 'pg';

const originals = `
  CREATE TEMP TABLE original_persons AS SELECT * FROM persons WHERE project_id = $1;
  CREATE TEMP TABLE original_ids AS
    SELECT i.distinct_id, p.uuid AS person_uuid FROM person_distinct_ids i JOIN original_persons p ON p.id = i.person_id
    WHERE i.project_id = $1 ORDER BY i.position;
  CREATE TEMP TABLE original_events AS SELECT * FROM events WHERE project_id = $1 ORDER BY uuid`;

/** Neighbours stay neighbours, as they are in real traffic. */
const uuidOfCopy = `(lpad(to_hex($2::int), 8, '0') || substr(uuid::text, 9))::uuid`;

const copies = [
  `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at)
   SELECT $1, md5(uuid::text || $2::int)::uuid, properties, is_identified, created_at FROM original_persons`,
  `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
   SELECT $1, o.distinct_id || '/' || $2::int, p.id FROM original_ids o
   JOIN persons p ON p.project_id = $1 AND p.uuid = md5(o.person_uuid::text || $2::int)::uuid`,
  `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
   SELECT $1, ${uuidOfCopy}, event, distinct_id || '/' || $2::int, timestamp, received_at, properties
   FROM original_events`,
];

/**
 * So many times what PostgreSQL holds of a project, each time with other persons: sooner there than sent. Nothing of it is
 * in the outbox, so only a rebuild takes it to ClickHouse.
 */
export const multiply = async (database: Client, projectId: number, times: number): Promise<void> => {
  await database.query(originals.replaceAll('$1', String(projectId)));
  for (let copy = 1; copy < times; copy += 1) {
    await database.query('BEGIN');
    for (const statement of copies) await database.query(statement, [projectId, copy]);
    await database.query('COMMIT');
  }
  await database.query('ANALYZE');
};
