import { type GrantedScope } from './scopes.js';

/** The personal API key behind a request, and its user. */
export interface Caller {
  readonly keyId: string;
  readonly userId: number;
  readonly scopes: readonly GrantedScope[];
  /** Null: every project. */
  readonly projectIds: readonly number[] | null;
  readonly expiresAt: Date | null;
}
