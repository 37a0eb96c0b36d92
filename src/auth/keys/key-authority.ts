import { type ClientBase } from 'pg';
import { type Caller, type SessionCaller } from '../../kernel/access/caller.js';
import { projectsWithin, type Rights, scopesOn } from '../../kernel/access/roles.js';
import { assertScopes, firstMissing } from '../../kernel/access/scopes.js';
import { authenticationFailed, notFound, permissionDenied, sessionEnded } from '../../platform/errors/problem.js';
import { beyond, type Grant } from './key-grant.js';
import { findKey, lockKeysOf } from './keys.repository.js';
import { rightsOf } from '../users/user-rights.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

/**
 * True if the caller may manage the key. A key manages itself, and those keys of its user that have no right beyond its own. A
 * session manages all keys of its user, who may see and revoke everything in the user's name.
 */
export const rulesOver = (caller: Caller, key: PersonalApiKey): boolean =>
  key.userId === caller.userId && (caller.keyId === null || key.id === caller.keyId || beyond(key, caller) === null);

/** Returns the key if the caller may manage it. A stronger key is answered like an unknown one. */
export const requireRule = (caller: Caller, id: string, key: PersonalApiKey | null): PersonalApiKey => {
  if (!key || !rulesOver(caller, key)) throw notFound(`there is no key ${id}`);
  return key;
};

/**
 * Reads the rights of the caller again, under a lock that keeps them unchanged until the transaction ends, because the caller's
 * key may have been narrowed or revoked since its admission.
 */
export const lockCaller = async (client: ClientBase, caller: Caller, now: Date): Promise<Caller> => {
  await lockKeysOf(client, caller.userId);
  if (caller.keyId === null) return lockedSession(client, caller);
  const own = await findKey(client, caller.keyId);
  if (!own || (own.expiresAt !== null && own.expiresAt <= now)) throw authenticationFailed();
  const missing = firstMissing(own.scopes, ['api_key:write']);
  if (missing !== null) throw permissionDenied(`The API key lacks the scope ${missing}`);
  return { ...caller, scopes: own.scopes, projectIds: own.projectIds, expiresAt: own.expiresAt };
};

/** Reads the roles again. The user's row is locked, so no role changes before the transaction ends. */
const lockedSession = async (client: ClientBase, caller: SessionCaller): Promise<SessionCaller> => {
  const rights = await rightsOf(client, caller.userId);
  if (!rights) throw sessionEnded();
  const scopes = scopesOn(rights, null);
  assertScopes(scopes, ['api_key:write'], 'Your role');
  return { ...caller, rights, scopes, projectIds: projectsWithin(rights) };
};

/**
 * Returns the most that the caller can grant on these projects: a key its own rights, a session the rights of its user's roles
 * there.
 */
const limitOf = (caller: Caller, projectIds: readonly number[] | null): Grant =>
  caller.keyId === null ? grantOf(caller.rights, projectIds) : caller;

/** Returns the rights of a user on these projects. */
export const grantOf = (rights: Rights, projectIds: readonly number[] | null): Grant => ({
  scopes: scopesOn(rights, projectIds ?? null),
  projectIds: projectsWithin(rights),
  expiresAt: null,
});

export const refuseBeyond = (requested: Grant, caller: Caller): void => {
  const field = beyond(requested, limitOf(caller, requested.projectIds));
  if (!field) return;
  throw permissionDenied(
    caller.keyId === null
      ? `A key cannot have rights that its user lacks: ${field} exceeds your roles in the projects of the key`
      : `A key cannot grant rights that it lacks: ${field} exceeds the key of this request`,
    field,
  );
};
