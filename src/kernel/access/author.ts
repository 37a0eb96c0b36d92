import { type GrantedScope } from './scopes.js';

/** The author, request and time of a change, which an activity entry records as its origin. */
export interface Author {
  /** Null: the service itself. */
  readonly userId: number | null;
  readonly requestId: string;
  readonly now: Date;
}

/**
 * An author with the scopes of the caller: a request may need more scopes than its route, depending on its body or on the
 * record.
 */
export interface Requester extends Author {
  readonly scopes: readonly GrantedScope[];
  /** Null: a session. */
  readonly keyId: string | null;
}
