import { type ClientBase } from 'pg';
import { conflict } from '../common/errors/problem.js';
import { type ProjectContext } from '../common/project-context.js';
import { lockProject } from '../stores/postgres/existing-project.js';
import { type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

export const maxLiveCohorts = 10_000;

/** Call it before a cohort is made, so that its members are not read in vain. Other requests may make cohorts meanwhile. */
export const refuseWithoutRoom = async (client: Queryable, project: ProjectContext): Promise<void> => {
  if ((await liveCohorts(client, project)) >= maxLiveCohorts) throw tooMany();
};

/**
 * Call it last in the transaction that makes or restores a cohort. Other transactions that do so wait from here until it
 * commits; with an earlier call they would also wait for its upload.
 */
export const refuseOneTooMany = async (client: ClientBase, project: ProjectContext): Promise<void> => {
  await lockProject(client, project.id);
  if ((await liveCohorts(client, project)) > maxLiveCohorts) throw tooMany();
};

const liveCohorts = async (client: Queryable, { id }: ProjectContext): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM cohorts WHERE project_id = ${bound(id)} AND NOT deleted`,
  );
  return Number(rows[0]?.count);
};

const tooMany = () =>
  conflict(
    `A project can have at most ${maxLiveCohorts} cohorts that are not deleted: delete cohorts that are no longer used`,
  );
