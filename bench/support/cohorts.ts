import { type BenchedService } from './service.js';

/** Static cohorts, each of which has about half of all persons, as their uploads would have recorded them. */
export const makeMembers = async (
  { database, project_id }: Pick<BenchedService, 'database' | 'project_id'>,
  cohorts: number,
): Promise<number[]> => {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO cohorts (project_id, name, description, groups, is_static, deleted, created_at, version, pending_version,
       is_calculating, errors_calculating, updated_at, changes_from)
     SELECT $1, 'Cohort ' || n, '', '[]', true, false, now(), 1, 1, false, 0, now(), now() FROM generate_series(1, $2::int) AS n
     RETURNING id`,
    [project_id, cohorts],
  );
  const ids = rows.map(({ id }) => id);
  await database.query(
    `INSERT INTO cohort_member_chunks (project_id, cohort_id, chunk, bits)
     SELECT $1, cohort, chunk, decode(repeat(md5(cohort || ' ' || chunk), 8), 'hex')
     FROM unnest($2::int[]) AS cohort, (SELECT DISTINCT id / 1024 AS chunk FROM persons WHERE project_id = $1) AS chunks`,
    [project_id, ids],
  );
  // Later work of PostgreSQL on a million new rows would fall into the measurement.
  await database.query('VACUUM ANALYZE');
  return ids;
};
