import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { conflict } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type EventMatch } from '../../filters/reading/filter.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { Calculations } from '../calculations.js';
import { queueUsersOfAction } from '../record/calculations.repository.js';
import { filtersByCohort, noCohortsInSteps } from '../definition/read-behaviour.js';

const maxListed = 5;

/** A change of an action. `now` is the time of the transaction that makes it. */
interface ActionChange {
  readonly id: number;
  readonly matches: readonly EventMatch[];
  readonly now: Date;
}

/** Keeps cohorts and the actions that their definitions name consistent. */
@Injectable()
export class CohortsOfActions {
  constructor(private readonly calculations: Calculations) {}

  /** Refuses to delete an action that a definition names. */
  async refuseWhileUsed(client: ClientBase, project: ProjectContext, id: number): Promise<void> {
    const users = await usersOf(client, project, id);
    if (users === null) return;
    throw conflict(`Cohorts name this action: ${users}. Remove it from their definitions, or delete them first`);
  }

  /** Queues the cohorts that name an action whose steps change. Refuses steps that definitions cannot use. */
  async stepsChanged(client: ClientBase, project: ProjectContext, { id, matches, now }: ActionChange): Promise<void> {
    if (filtersByCohort(matches)) {
      const users = await usersOf(client, project, id);
      if (users !== null) throw conflict(`Cohorts name this action: ${users}. So ${noCohortsInSteps}`, 'steps');
    }
    await queueUsersOfAction(client, project.id, id, now);
  }

  /** Must be called after the commit. */
  wake(): void {
    this.calculations.wake();
  }
}

/** Returns the names of the live cohorts whose definitions name the action; null when there are none. */
const usersOf = async (client: ClientBase, project: ProjectContext, id: number): Promise<string | null> => {
  const { rows } = await client.query<{ id: number; name: string }>(
    pgSql`SELECT id, name FROM cohorts
     WHERE project_id = ${bound(project.id)} AND NOT deleted AND depends_on_actions @> ARRAY[${bound(id)}::integer]
     ORDER BY id LIMIT ${bound(maxListed + 1)}`,
  );
  if (rows.length === 0) return null;
  const names = rows.slice(0, maxListed).map((row) => `${JSON.stringify(row.name)} (${row.id})`);
  return `${names.join(', ')}${rows.length > maxListed ? ' and others' : ''}`;
};
