import { type ClientBase } from 'pg';
import { type Author } from '../access/author.js';
import { type ProjectContext } from '../access/project-context.js';

export interface PersonWithEvents {
  readonly id: string;
  readonly uuid: string;
  readonly distinctIds: readonly string[];
}

export interface RequestedDeletion {
  readonly id: string;
  /** Events that are received later stay. */
  readonly createdAt: Date;
}

/**
 * Records, in the caller's transaction, the request to delete a person's events. The module that deletes events provides the
 * implementation.
 */
export abstract class EventDeletions {
  abstract request(
    client: ClientBase,
    project: ProjectContext,
    person: PersonWithEvents,
    context: Author,
  ): Promise<RequestedDeletion>;

  /**
   * Waits until each event that arrives is one that a request of this moment keeps. It comes between the commit of the requests
   * and their answer: a transaction that waited would hold its locks.
   */
  abstract untilLaterEvents(requestedAt: Date): Promise<void>;
}
