import { type ClientBase } from 'pg';
import { type Move } from './write.js';

/** Memberships after a merge was undone: the target is the person that came back from the source. */
export interface MembersParted extends Move {
  /** The static cohorts in which the person that came back is a member again. */
  readonly back: readonly number[];
  /** The static cohorts in which the source is no longer a member. */
  readonly out: readonly number[];
}

/** Moves memberships when persons depart or come back, as identity sees it. `MovedMembers` is the other side. */
export interface MemberMoves {
  /**
   * Moves, in the caller's transaction, the memberships of merged persons to the persons they were merged into. Both sides are
   * locked, and the merged persons still exist when the first statement runs. Takes the last locks of the transaction.
   */
  move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void>;

  /** Ends, in the caller's transaction, the memberships of deleted persons. Takes the last locks of the transaction. */
  remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void>;

  /**
   * Divides, in the caller's transaction, the memberships of a person. Both sides are locked and exist. Takes the last locks of the
   * transaction.
   */
  part(client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void>;
}
