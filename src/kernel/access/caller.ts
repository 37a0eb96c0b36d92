import { type Rights } from './roles.js';
import { type GrantedScope } from './scopes.js';

interface Granted {
  readonly userId: number;
  /** The scopes in the project of the request; outside projects, the scopes that each project of the caller grants. */
  readonly scopes: readonly GrantedScope[];
  /** Null: every project. */
  readonly projectIds: readonly number[] | null;
  /** When these rights end; null: never. A session has null, too, because the keys that it makes may outlive it. */
  readonly expiresAt: Date | null;
}

/** The personal API key behind a request, and its user. */
export interface KeyCaller extends Granted {
  readonly keyId: string;
  readonly sessionId: null;
}

/** The session of a signed-in user behind a request. */
export interface SessionCaller extends Granted {
  readonly keyId: null;
  readonly sessionId: string;
  readonly rights: Rights;
}

export type Caller = KeyCaller | SessionCaller;
