import { type ClientBase } from 'pg';
import { conflict } from '../common/errors/problem.js';
import { type ProjectContext } from '../common/project-context.js';
import { type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

export const maxLiveCohorts = 10_000;

/** Before a cohort is made, so that its members are not read for nothing. Others may be made meanwhile. */
export const refuseWithoutRoom = async (client: Queryable, project: ProjectContext): Promise<void> => {
  if ((await liveCohorts(client, project)) >= maxLiveCohorts) throw tooMany();
};

/**
 * Last in the transaction that made or restored a cohort: others who do so wait from here until it commits, and would wait for
 * its upload if this came first.
 */
export const refuseOneTooMany = async (client: ClientBase, project: ProjectContext): Promise<void> => {
  await client.query(pgSql`SELECT 1 FROM projects WHERE id = ${bound(project.id)} FOR NO KEY UPDATE`);
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
    `A project can have ${maxLiveCohorts} cohorts that are not deleted, and this one has them: delete cohorts that are not used any more`,
  );
