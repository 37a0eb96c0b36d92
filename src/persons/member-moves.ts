import { type ClientBase } from 'pg';
import { type Move } from './identity/write.js';

/** What becomes of memberships when persons depart. The module of cohorts provides the implementation. */
export abstract class MemberMoves {
  /**
   * Moves, in the caller's transaction, the memberships of merged persons to the persons they were merged into. Both sides are
   * locked, and the merged persons still exist when the first statement runs. Takes the last locks of the transaction.
   */
  abstract move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void>;

  /** Ends, in the caller's transaction, the memberships of deleted persons. Takes the last locks of the transaction. */
  abstract remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void>;
}
