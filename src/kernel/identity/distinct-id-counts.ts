import { type ClientBase } from 'pg';

/**
 * Adds moved distinct ids to the stored counts. Expects a CTE `moved(person_id)`; $1 is the project. Persons without a
 * stored count, which are most, are skipped.
 */
export const countsMoved = `
  UPDATE distinct_id_counts AS c
  SET distinct_ids = c.distinct_ids + moved.number
  FROM (SELECT person_id, count(*) AS number FROM moved GROUP BY person_id) AS moved
  WHERE c.project_id = $1 AND c.person_id = moved.person_id`;

/** Subtracts distinct ids that have left a person. The caller has locked the person. */
export const remainingDistinctIds = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  number: number,
): Promise<void> => {
  await client.query({
    name: 'distinct-ids-left',
    text: `UPDATE distinct_id_counts SET distinct_ids = distinct_ids - $3::bigint WHERE project_id = $1 AND person_id = $2`,
    values: [projectId, personId, number],
  });
};

const lock = 'SELECT FROM persons WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE';

const count = `
  WITH counted AS (
    INSERT INTO distinct_id_counts (project_id, person_id, distinct_ids)
    SELECT $1, $2, count(*) FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.person_id = $2
    ON CONFLICT (project_id, person_id) DO NOTHING
    RETURNING distinct_ids
  )
  SELECT distinct_ids FROM counted
  UNION ALL
  SELECT c.distinct_ids FROM distinct_id_counts AS c WHERE c.project_id = $1 AND c.person_id = $2`;

/**
 * Counts the distinct ids of a person that has very many, but only the first time: from then on, writers maintain the number.
 * Locks the person in the caller's transaction: distinct ids change hands only while their persons are locked, so the count
 * cannot change meanwhile.
 */
export const countDistinctIds = async (client: ClientBase, projectId: number, personId: string): Promise<number> => {
  await client.query(lock, [projectId, personId]);
  const { rows } = await client.query<{ distinct_ids: string }>(count, [projectId, personId]);
  return Number(rows[0]?.distinct_ids ?? 0);
};
