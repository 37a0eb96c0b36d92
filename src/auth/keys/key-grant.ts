import { type GrantedScope, holds } from '../../common/access/scopes.js';

/** What a key lets its holder do. */
export interface Grant {
  readonly scopes: readonly GrantedScope[];
  /** Null: every project. */
  readonly projectIds: readonly number[] | null;
  /** Null: for ever. */
  readonly expiresAt: Date | null;
}

export type GrantField = 'scopes' | 'scoped_projects' | 'expires_at';

/** The first respect in which `wanted` goes beyond `held`; null when it does not. */
export const beyond = (requested: Grant, own: Grant): GrantField | null => {
  if (!requested.scopes.every((scope) => holds(own.scopes, scope))) return 'scopes';
  if (!coversProjects(own.projectIds, requested.projectIds)) return 'scoped_projects';
  if (own.expiresAt !== null && (requested.expiresAt === null || requested.expiresAt > own.expiresAt))
    return 'expires_at';
  return null;
};

const coversProjects = (own: readonly number[] | null, requested: readonly number[] | null): boolean =>
  own === null || (requested !== null && requested.every((id) => own.includes(id)));
