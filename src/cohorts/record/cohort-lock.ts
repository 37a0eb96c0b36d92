import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const lockCohort = async (client: ClientBase, projectId: number, id: number): Promise<void> => {
  await client.query(
    pgSql`SELECT 1 FROM cohorts WHERE project_id = ${bound(projectId)} AND id = ${bound(id)} FOR UPDATE`,
  );
};
