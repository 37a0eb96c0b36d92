import { type ClientBase } from 'pg';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type EventMatch } from '../filters/reading/event-match.js';

/** A change of an action, in the transaction that makes the change. */
export interface ActionChange {
  readonly id: number;
  readonly matches: readonly EventMatch[];
  readonly now: Date;
}

/** The definitions that name actions. The module of cohorts lies above this one and provides the implementation. */
export abstract class ActionUsers {
  /** Refuses the deletion of an action that a definition names. */
  abstract refuseWhileUsed(client: ClientBase, project: ProjectContext, id: number): Promise<void>;
  /** Recalculates what the new steps change; refuses steps that a definition cannot use. */
  abstract stepsChanged(client: ClientBase, project: ProjectContext, change: ActionChange): Promise<void>;
  /** Call it after the commit. */
  abstract wake(): void;
}
