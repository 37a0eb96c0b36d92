import { type GrantedScope, holds } from '../../kernel/access/scopes.js';

/** The rights that a key gives. */
export interface Grant {
  readonly scopes: readonly GrantedScope[];
  /** Null for every project. */
  readonly projectIds: readonly number[] | null;
  /** Null for a key that never expires. */
  readonly expiresAt: Date | null;
}

export type GrantField = 'scopes' | 'scoped_projects' | 'expires_at';

/** Returns the first field in which `requested` goes beyond `own`; null when none does. */
export const beyond = (requested: Grant, own: Grant): GrantField | null => {
  if (!requested.scopes.every((scope) => holds(own.scopes, scope))) return 'scopes';
  if (!coversProjects(own.projectIds, requested.projectIds)) return 'scoped_projects';
  if (own.expiresAt !== null && (requested.expiresAt === null || requested.expiresAt > own.expiresAt))
    return 'expires_at';
  return null;
};

const coversProjects = (own: readonly number[] | null, requested: readonly number[] | null): boolean =>
  own === null || (requested !== null && requested.every((id) => own.includes(id)));
