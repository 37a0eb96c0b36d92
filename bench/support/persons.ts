import { type BenchedService } from './service.js';

/**
 * A million persons as an import would have left them: eight properties each, one distinct id, created one after the
 * other. Written by SQL, because loading them is not what is measured; nothing here asks the projection.
 */
export const makePersons = async (
  { database, project_id }: Pick<BenchedService, 'database' | 'project_id'>,
  persons: number,
): Promise<void> => {
  await database.query(`SET statement_timeout = 0`);
  await database.query(
    `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at)
     SELECT $1, gen_random_uuid(), jsonb_build_object(
         'email', 'person' || n || '@example.test', 'name', 'Person ' || n, 'plan', (ARRAY['free', 'pro', 'team'])[1 + n % 3],
         'seats', n % 50, 'country', (ARRAY['DE', 'FR', 'US', 'JP', 'BR'])[1 + n % 5], 'paying', n % 7 = 0,
         '$browser', (ARRAY['Chrome', 'Firefox', 'Safari'])[1 + n % 3], '$initial_referrer', 'https://example.test/' || n % 1000),
       n % 2 = 0, timestamptz '2024-01-01Z' + n * interval '30 seconds'
     FROM generate_series(1, $2::int) AS n`,
    [project_id, persons],
  );
  await database.query(
    `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
     SELECT project_id, 'user-' || id, id FROM persons WHERE project_id = $1 ORDER BY id`,
    [project_id],
  );
  await database.query(`INSERT INTO person_counts VALUES ($1, 0, $2)`, [project_id, persons]);
  await database.query('VACUUM ANALYZE persons');
  await database.query('VACUUM ANALYZE person_distinct_ids');
};
