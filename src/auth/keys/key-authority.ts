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
 * A key rules over itself, and over those keys of its user that can do nothing beyond its own grant. A session rules over all
 * keys of its user, who may see and revoke what bears the user's name.
 */
export const rulesOver = (caller: Caller, key: PersonalApiKey): boolean =>
  key.userId === caller.userId && (caller.keyId === null || key.id === caller.keyId || beyond(key, caller) === null);

/** Returns the key when the caller rules over it. A stronger key gets the same answer as an unknown one. */
export const requireRule = (caller: Caller, id: string, key: PersonalApiKey | null): PersonalApiKey => {
  if (!key || !rulesOver(caller, key)) throw notFound(`there is no key ${id}`);
  return key;
};

/**
 * Reads the caller again under the lock that keeps its grant unchanged until the transaction ends. Since its admission, the
 * key may have been narrowed or revoked.
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

/** The roles are read again: the user's row is locked, so that none of them changes before the transaction ends. */
const lockedSession = async (client: ClientBase, caller: SessionCaller): Promise<SessionCaller> => {
  const rights = await rightsOf(client, caller.userId);
  if (!rights) throw sessionEnded();
  const scopes = scopesOn(rights, null);
  assertScopes(scopes, ['api_key:write'], 'Your role');
  return { ...caller, rights, scopes, projectIds: projectsWithin(rights) };
};

/** The most that the caller can grant on these projects: a key grants what it has, a user what the roles there hold. */
const limitOf = (caller: Caller, projectIds: readonly number[] | null): Grant =>
  caller.keyId === null ? grantOf(caller.rights, projectIds) : caller;

/** The rights of a user on these projects. */
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
