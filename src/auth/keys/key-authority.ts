import { type ClientBase } from 'pg';
import { type Caller } from '../../common/access/caller.js';
import { firstMissing } from '../../common/access/scopes.js';
import { authenticationFailed, notFound, permissionDenied } from '../../common/errors/problem.js';
import { beyond, type Grant } from './key-grant.js';
import { findKey, lockKeysOf } from './key-rows.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

/** A key rules over itself, and over those keys of its user that can do nothing beyond its own grant. */
export const rulesOver = (caller: Caller, key: PersonalApiKey): boolean =>
  key.userId === caller.userId && (key.id === caller.keyId || beyond(key, caller) === null);

/** Returns the key when the caller rules over it. A stronger key gets the same answer as an unknown one. */
export const demandRule = (caller: Caller, id: string, key: PersonalApiKey | null): PersonalApiKey => {
  if (!key || !rulesOver(caller, key)) throw notFound(`there is no key ${id}`);
  return key;
};

/**
 * Reads the caller again under the lock that keeps its grant unchanged until the transaction ends. Since its admission, the
 * key may have been narrowed or revoked.
 */
export const lockCaller = async (client: ClientBase, caller: Caller, now: Date): Promise<Caller> => {
  await lockKeysOf(client, caller.userId);
  const own = await findKey(client, caller.keyId);
  if (!own || (own.expiresAt !== null && own.expiresAt <= now)) throw authenticationFailed();
  const missing = firstMissing(own.scopes, ['api_key:write']);
  if (missing !== null) throw permissionDenied(`The API key lacks the scope ${missing}`);
  return { ...caller, scopes: own.scopes, projectIds: own.projectIds, expiresAt: own.expiresAt };
};

export const refuseBeyond = (requested: Grant, caller: Caller): void => {
  const field = beyond(requested, caller);
  if (field)
    throw permissionDenied(`A key cannot grant rights that it lacks: ${field} exceeds the key of this request`, field);
};
