import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type EventMatch } from '../reading/filter.js';
import { type ActionStep, matchesOf } from './steps.js';
import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** The parts of an action that its readers need. */
interface NamedAction {
  readonly id: number;
  readonly name: string;
  /** An event that matches one of these matches the action. */
  readonly matches: readonly EventMatch[];
}

interface ActionRecord {
  readonly id: number;
  readonly name: string;
  readonly steps: readonly ActionStep[];
}

/**
 * The actions that a question or a definition names. Reading needs no database: an action that is not known yet is noted, and
 * `ActionLookup` repeats the reading once the action is known.
 */
export class NamedActions {
  private readonly known = new Map<number, NamedAction | null>();
  private readonly missing = new Set<number>();

  /** Throws if the project has no such action. `attr`: the path of the id in the request. */
  get(value: unknown, attr: string): NamedAction {
    const id = readSmallId(value);
    if (id === null) throw invalidInput(`${attr} must be the id of an action, an integer`, attr);
    const action = this.known.get(id);
    if (action === null) throw noSuchAction(id, attr);
    if (action === undefined) this.missing.add(id);
    return action ?? { id, name: '', matches: [] };
  }

  /** Returns the ids of actions that reading needed and that are not known yet, and forgets them. */
  takeMissing(): readonly number[] {
    const ids = [...this.missing];
    this.missing.clear();
    return ids;
  }

  /** Remembers the records; an id in `ids` that no record has belongs to no action. */
  learn(ids: readonly number[], records: readonly ActionRecord[]): void {
    for (const id of ids) this.known.set(id, null);
    for (const { id, name, steps } of records)
      this.known.set(id, { id, name, matches: matchesOf(steps, `actions.${id}.steps`, { stored: true }) });
  }
}

/** Makes the same error for an action that was deleted, that never existed or that belongs to another project. */
export const noSuchAction = (id: number, attr: string) =>
  invalidInput(`${attr} must be the id of an action of this project: there is no action ${id}`, attr);

/** Finds the actions that questions and definitions name. */
@Injectable()
export class ActionLookup {
  constructor(private readonly postgres: Postgres) {}

  /** Calls `read`, which must have no effect. If it named actions that are not known yet, calls it again with these actions. */
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
