import { type ClientBase } from 'pg';
import { type Move } from './identity/write.js';

/**
 * Moves, in the caller's transaction, the memberships of merged persons to the persons they were merged into. Both sides are
 * locked, and the merged persons still exist. The module of cohorts provides the implementation.
 */
export abstract class MemberMoves {
  abstract move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void>;
}
