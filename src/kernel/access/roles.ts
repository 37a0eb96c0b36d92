import { holds, scopes, type GrantedScope, type Scope } from './scopes.js';

/** From the weakest to the strongest. */
export const projectRoles = ['viewer', 'member', 'admin'] as const;

export type ProjectRole = (typeof projectRoles)[number];

/** The weakest role that has a scope; the stronger ones have it too. A new scope does not compile until it is listed here. */
const weakestWith: Readonly<Record<Scope, ProjectRole>> = {
  'person:read': 'viewer',
  'person:write': 'member',
  'group:read': 'viewer',
  'group:write': 'member',
  'cohort:read': 'viewer',
  'cohort:write': 'member',
  'action:read': 'viewer',
  'action:write': 'member',
  // The address of a receiver may contain a secret, and it decides who learns of persons.
  'webhook:read': 'admin',
  'webhook:write': 'admin',
  'activity_log:read': 'viewer',
  'event:read': 'viewer',
  'event:write': 'member',
  'insight:read': 'viewer',
  'insight:write': 'member',
  'dashboard:read': 'viewer',
  'dashboard:write': 'member',
  'annotation:read': 'viewer',
  'annotation:write': 'member',
  'feature_flag:read': 'viewer',
  'feature_flag:write': 'member',
  'alert:read': 'viewer',
  'alert:write': 'member',
  'event_definition:read': 'viewer',
  'event_definition:write': 'admin',
  'property_definition:read': 'viewer',
  'property_definition:write': 'admin',
  'query:read': 'viewer',
  'project:read': 'viewer',
  'project:write': 'admin',
  'organization:read': 'viewer',
  'user:read': 'viewer',
  'api_key:read': 'admin',
  'api_key:write': 'admin',
};

const strength = (role: ProjectRole): number => projectRoles.indexOf(role);

export const scopesOfRole = (role: ProjectRole): readonly Scope[] =>
  scopes.filter((scope) => strength(weakestWith[scope]) <= strength(role));

/** Every scope that is granted: by its name, by `*`, or as the `:read` of a granted `:write`. */
export const scopesWithin = (granted: readonly GrantedScope[]): readonly Scope[] =>
  scopes.filter((scope) => holds(granted, scope));

/** True if the role can do anything that the scopes do not grant. */
export const exceeds = (role: ProjectRole, granted: readonly GrantedScope[]): boolean =>
  !scopesOfRole(role).every((scope) => holds(granted, scope));

/** The rights of a user: an owner of the installation may do everything, others what their role in each project allows. */
export interface Rights {
  readonly isOwner: boolean;
  readonly roles: ReadonlyMap<number, ProjectRole>;
}

/** The scopes that the user has in every one of the projects; null stands for all projects of the user. */
export const scopesOn = ({ isOwner, roles }: Rights, projectIds: readonly number[] | null): readonly GrantedScope[] => {
  if (isOwner) return ['*'];
  const held = (projectIds ?? [...roles.keys()]).map((id) => roles.get(id));
  const weakest = projectRoles.find((role) => held.includes(role));
  return weakest === undefined || held.includes(undefined) ? [] : scopesOfRole(weakest);
};

/** Null stands for every project, including future ones. */
export const projectsWithin = ({ isOwner, roles }: Rights): readonly number[] | null =>
  isOwner ? null : [...roles.keys()];
