import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type Properties } from '../identity/identity-event.js';

export interface CurrentPerson {
  readonly id: string;
  readonly uuid: string;
  readonly properties: Properties;
  readonly is_identified: boolean;
  readonly created_at: Date;
  /** The static cohorts in which the person is. */
  readonly cohorts: readonly number[];
}

/** Locks persons in the order of ids, and returns those that exist. */
export const lockCurrentPersons = async (
  client: ClientBase,
  projectId: number,
  ids: readonly string[],
): Promise<CurrentPerson[]> => {
  const [project, sorted] = [bound(projectId), bound(ids)];
  await client.query(
    pgSql`SELECT FROM persons WHERE project_id = ${project} AND id = ANY (${sorted}::bigint[]) ORDER BY id FOR UPDATE`,
  );
  const { rows } = await client.query<CurrentPerson>(
    pgSql`SELECT p.id, p.uuid, p.properties, p.is_identified, p.created_at, ARRAY(
        SELECT m.cohort_id FROM static_cohort_members AS m WHERE m.project_id = ${project} AND m.person_id = p.id
      ) AS cohorts
      FROM persons AS p WHERE p.project_id = ${project} AND p.id = ANY (${sorted}::bigint[]) ORDER BY p.id`,
  );
  return rows;
};
