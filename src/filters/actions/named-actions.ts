import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type EventMatch } from '../reading/event-match.js';
import { matchesOf, type ActionStep } from './steps.js';

/** The parts of an action that its readers need. */
export interface NamedAction {
  readonly id: number;
  readonly name: string;
  /** An event that matches one of these matches the action. */
  readonly matches: readonly EventMatch[];
}

export interface ActionRecord {
  readonly id: number;
  readonly name: string;
  readonly steps: readonly ActionStep[];
}

/**
 * The actions that a question or a definition names. Reading needs no store: an action that is not known yet is noted, and
 * `ActionLookup` repeats the reading once it is known.
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

  /** `ids` that are not among the records belong to no action. */
  learn(ids: readonly number[], records: readonly ActionRecord[]): void {
    for (const id of ids) this.known.set(id, null);
    for (const { id, name, steps } of records)
      this.known.set(id, { id, name, matches: matchesOf(steps, `actions.${id}.steps`, { stored: true }) });
  }
}

/** The same words for an action that was deleted, that never existed and that belongs to another project. */
export const noSuchAction = (id: number, attr: string) =>
  invalidInput(`${attr} must be the id of an action of this project: there is no action ${id}`, attr);
