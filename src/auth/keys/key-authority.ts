import { type ClientBase } from 'pg';
import { type Caller } from '../../common/access/caller.js';
import { firstMissing } from '../../common/access/scopes.js';
import { authenticationFailed, notFound, permissionDenied } from '../../common/errors/problem.js';
import { beyond, type Grant } from './key-grant.js';
import { findKey, lockKeysOf } from './key-rows.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

/** A key rules over itself, and over the keys of its user that can do nothing it cannot. */
export const rulesOver = (caller: Caller, key: PersonalApiKey): boolean =>
  key.userId === caller.userId && (key.id === caller.keyId || beyond(key, caller) === null);

/** The key, when the caller rules over it. A stronger one answers as an unknown one does. */
export const demandRule = (caller: Caller, key: PersonalApiKey | null): PersonalApiKey => {
  if (!key || !rulesOver(caller, key)) throw notFound();
  return key;
};

/**
 * The caller as it is under the lock that keeps it so until the transaction ends. It was admitted before, and may have been
 * narrowed or revoked since.
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
    throw permissionDenied(`A key cannot grant what it lacks: ${field} goes beyond the key of this request`, field);
};
