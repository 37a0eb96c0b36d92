import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { NamedActions, type ActionRecord } from './named-actions.js';

/** Finds the actions that questions and definitions name. */
@Injectable()
export class ActionLookup {
  constructor(private readonly postgres: Postgres) {}

  /** Calls `read`, which must have no effect, and calls it again if it named actions: then with these actions. */
  async reading<T>(project: ProjectContext, read: (actions: NamedActions) => T): Promise<T> {
    const actions = new NamedActions();
    for (;;) {
      const result = outcomeOf(() => read(actions));
      const missing = actions.takeMissing();
      // An error may be due to an action that was not known yet.
      if (missing.length === 0) return result();
      actions.learn(missing, await this.records(project, missing));
    }
  }

  private async records(project: ProjectContext, ids: readonly number[]): Promise<ActionRecord[]> {
    const { rows } = await this.postgres.query<ActionRecord>(
      pgSql`SELECT id, name, steps FROM actions WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
    );
    return rows;
  }
}

/** Returns a function that returns the result, or throws what `work` threw. */
const outcomeOf = <T>(work: () => T): (() => T) => {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};
