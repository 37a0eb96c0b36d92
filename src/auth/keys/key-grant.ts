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
export const beyond = (wanted: Grant, held: Grant): GrantField | null => {
  if (!wanted.scopes.every((scope) => holds(held.scopes, scope))) return 'scopes';
  if (!coversProjects(held.projectIds, wanted.projectIds)) return 'scoped_projects';
  if (held.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > held.expiresAt)) return 'expires_at';
  return null;
};

const coversProjects = (held: readonly number[] | null, wanted: readonly number[] | null): boolean =>
  held === null || (wanted !== null && wanted.every((id) => held.includes(id)));
