import { type ClientBase } from 'pg';
import { conflict, type Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { lockProject, quotaReached, quotasOf } from '../../kernel/projects/projects.repository.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const maxLiveCohorts = 10_000;

/**
 * Refuses early, so that the members of a cohort over the cap are not read in vain. Other requests may still make cohorts
 * meanwhile.
 */
export const refuseWithoutRoom = async (client: Queryable, project: ProjectContext): Promise<void> => {
  const cap = await capOf(client, project);
  if ((await liveCohorts(client, project)) >= cap.most) throw cap.problem;
};

/**
 * Must be called last in the transaction that makes or restores a cohort. Other transactions that do so wait from this call until
 * the commit; after an earlier call they would also wait for the upload.
 */
export const refuseOneTooMany = async (client: ClientBase, project: ProjectContext): Promise<void> => {
  await lockProject(client, project.id);
  const cap = await capOf(client, project);
  if ((await liveCohorts(client, project)) > cap.most) throw cap.problem;
};

/** Returns the quota of the project, or the limit of all projects if that is lower. */
const capOf = async (
  client: Queryable,
  { id }: ProjectContext,
): Promise<{ readonly most: number; readonly problem: Problem }> => {
  const { cohorts: quota } = await quotasOf(client, id);
  return quota === null || quota >= maxLiveCohorts
    ? { most: maxLiveCohorts, problem: tooMany() }
    : {
        most: quota,
        problem: quotaReached(
          'cohorts',
          quota,
          'cohorts that are not deleted',
          'delete cohorts that are no longer used',
        ),
      };
};

const liveCohorts = async (client: Queryable, { id }: ProjectContext): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM cohorts WHERE project_id = ${bound(id)} AND NOT deleted`,
  );
  return Number(rows[0]?.count);
};

const tooMany = (): Problem =>
  conflict(
    `A project can have at most ${maxLiveCohorts} cohorts that are not deleted: delete cohorts that are no longer used`,
  );
