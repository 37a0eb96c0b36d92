import { type ClientBase } from 'pg';
import { type Author } from '../common/author.js';
import { type ProjectContext } from '../common/project-context.js';

export interface PersonWithEvents {
  readonly id: string;
  readonly uuid: string;
  readonly distinctIds: readonly string[];
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
  ): Promise<{ id: string }>;
}
