import { permissionDenied } from '../../platform/errors/problem.js';

/** The scopes that a route may require and that a key may have. A key may also have `*`, which stands for all of them. */
export const scopes = [
  'person:read',
  'person:write',
  'group:read',
  'group:write',
  'cohort:read',
  'cohort:write',
  'action:read',
  'action:write',
  'webhook:read',
  'webhook:write',
  'insight:read',
  'insight:write',
  'dashboard:read',
  'dashboard:write',
  'annotation:read',
  'annotation:write',
  'feature_flag:read',
  'feature_flag:write',
  'alert:read',
  'alert:write',
  'event_definition:read',
  'event_definition:write',
  'property_definition:read',
  'property_definition:write',
  'activity_log:read',
  'event:read',
  'event:write',
  'query:read',
  'project:read',
  'project:write',
  'organization:read',
  'user:read',
  'api_key:read',
  'api_key:write',
] as const;

export type Scope = (typeof scopes)[number];

export const grantableScopes = [...scopes, '*'] as const;

export type GrantedScope = (typeof grantableScopes)[number];

/** Scopes that came later than what they open: the scope that opened it before still does. */
const opensBefore: Partial<Readonly<Record<GrantedScope, Scope>>> = {
  'dashboard:read': 'insight:read',
  'dashboard:write': 'insight:write',
  'annotation:read': 'insight:read',
  'annotation:write': 'insight:write',
  'event_definition:read': 'event:read',
  'event_definition:write': 'project:write',
  'property_definition:read': 'event:read',
  'property_definition:write': 'project:write',
  'organization:read': 'project:read',
};

/** For each scope that reads the one that writes the same, and so reads it too. */
const writeOf = new Map<GrantedScope, Scope>(
  scopes.flatMap((write) => {
    const read = scopes.find((other) => other !== write && other === write.replace(/:write$/, ':read'));
    return read === undefined ? [] : [[read, write]];
  }),
);

/** Keys of the reference product name it; here every key may read its own user. */
const ofEveryKey: GrantedScope = 'user:read';

export const holds = (granted: readonly GrantedScope[], scope: GrantedScope): boolean => {
  const [before, write] = [opensBefore[scope], writeOf.get(scope)];
  return (
    granted.includes('*') ||
    granted.includes(scope) ||
    scope === ofEveryKey ||
    (write !== undefined && holds(granted, write)) ||
    (before !== undefined && holds(granted, before))
  );
};

export const firstMissing = (
  granted: readonly GrantedScope[],
  demanded: readonly GrantedScope[],
): GrantedScope | null => demanded.find((scope) => !holds(granted, scope)) ?? null;

/** `holder` is the subject of the message: the thing that lacks a scope. */
export const assertScopes = (
  granted: readonly GrantedScope[],
  demanded: readonly GrantedScope[],
  holder = 'The API key',
): void => {
  const missing = firstMissing(granted, demanded);
  if (missing === null) return;
  throw permissionDenied(`${holder} lacks the scope ${missing}`, null, { 'X-Required-Scopes': demanded.join(' ') });
};
