import { type ClientBase } from 'pg';

/**
 * Completes the count of the events that a project has stored, because a quota is compared with it. Events lie above projects,
 * so their module provides the implementation.
 */
export abstract class EventCounting {
  /** Call it in a transaction that has locked the project for all who write events. */
  abstract complete(client: ClientBase, projectId: number): Promise<void>;
}
