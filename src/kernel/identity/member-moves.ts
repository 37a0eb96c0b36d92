import { type ClientBase } from 'pg';
import { type Move } from './write.js';

/** Memberships after a merge was undone: the target is the person that came back from the source. */
export interface MembersParted extends Move {
  /** The static cohorts in which the person that came back is a member again. */
  readonly back: readonly number[];
  /** The static cohorts in which the source is no longer a member. */
  readonly out: readonly number[];
}

/** Moves memberships when persons depart or come back. Identity calls this interface; `MovedMembers` implements it. */
export interface MemberMoves {
  /**
   * Moves, in the caller's transaction, the memberships of merged persons to the persons they were merged into. Both persons of
   * each move are locked, and the merged persons still exist when the first statement runs. The transaction may take no locks
   * afterwards.
   */
  move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void>;

  /** Ends, in the caller's transaction, the memberships of deleted persons. The transaction may take no locks afterwards. */
  remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void>;

  /**
   * Divides, in the caller's transaction, the memberships of the source between it and the person that came back. Both persons
   * exist and are locked. The transaction may take no locks afterwards.
   */
  part(client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void>;
}
