import { type ClientBase } from 'pg';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Caller } from '../../kernel/access/caller.js';
import { conflict } from '../../platform/errors/problem.js';
import { type Reason, recordRevoked, type Revoked } from './key-activity.js';
import { creationsOf, endLinksOf } from './key-creations.js';
import { grantOf, rulesOver } from './key-authority.js';
import { beyond, type Grant } from './key-grant.js';
import { deleteKeys, descendantsOf, keysOfUser, keysOfSessions, passChildren } from './keys.repository.js';
import { rightsOf } from '../users/user-rights.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

export const childrenChoices = ['revoke', 'keep'] as const;

export type Children = (typeof childrenChoices)[number];

/**
 * Revokes a key and, unless `children` is "keep", the keys that it made; returns their ids. `caller` is null for an operator. The
 * transaction must hold `lockKeysOf`. Keys that a stronger key has widened meanwhile are not the caller's to revoke, and stay.
 */
export const revokeKey = async (
  client: ClientBase,
  key: PersonalApiKey,
  children: Children,
  caller: Caller | null,
  author: ActivityAuthor,
): Promise<string[]> => {
  const descendants = children === 'keep' ? [] : await ruledDescendants(client, key, caller);
  if (descendants.some(({ id }) => id === caller?.keyId)) {
    throw conflict(
      'The key of this request descends from that key and would be revoked with it: add children=keep, or use another key',
      'children',
    );
  }
  const made = descendants.map((descendant) => ({ key: descendant, reason: 'made by a revoked key' as const }));
  return revokeAll(client, [{ key, reason: 'revoked' }, ...made], caller, author);
};

/**
 * Revokes the keys that a key made, directly or not, and that have rights beyond `grant`. Must be called after the key was
 * narrowed to it.
 */
export const revokeBeyond = async (
  client: ClientBase,
  key: PersonalApiKey,
  grant: Grant,
  caller: Caller,
  author: ActivityAuthor,
): Promise<void> => {
  const stronger = (await ruledDescendants(client, key, caller)).filter((made) => beyond(made, grant) !== null);
  if (stronger.some(({ id }) => id === caller.keyId)) {
    throw conflict('The key of this request descends from that key and would exceed it: use another key');
  }
  const revoked = stronger.map((made) => ({ key: made, reason: 'beyond the key that made it' as const }));
  await revokeAll(client, revoked, caller, author);
};

/**
 * Revokes the keys that sessions of a user made and that have rights beyond those of the user. Must be called after the user lost
 * rights, under the lock of the user. Keys of an operator stay, because no role gave them their rights.
 */
export const revokeBeyondRights = async (client: ClientBase, userId: number, author: ActivityAuthor): Promise<void> => {
  const rights = await rightsOf(client, userId);
  if (!rights) return;
  const stronger = (await keysOfSessions(client, userId)).filter(
    (key) => beyond(key, grantOf(rights, key.projectIds)) !== null,
  );
  await revokeAll(
    client,
    stronger.map((key) => ({ key, reason: 'beyond the roles of its user' as const })),
    null,
    author,
  );
};

/** Revokes the keys of a user. Must be called before the user is removed, because the keys are removed with the user. */
export const revokeKeysOf = async (client: ClientBase, userId: number, author: ActivityAuthor): Promise<void> => {
  const keys = await keysOfUser(client, userId);
  await revokeAll(
    client,
    keys.map((key) => ({ key, reason: 'its user was removed' as const })),
    null,
    author,
  );
};

/** Revokes keys of one user that open nothing but a deleted project. Each key must follow the key that made it. */
export const revokeOfDeletedProject = async (
  client: ClientBase,
  keys: readonly PersonalApiKey[],
  author: ActivityAuthor,
): Promise<void> => {
  await revokeAll(
    client,
    keys.map((key) => ({ key, reason: 'its project was deleted' as const })),
    null,
    author,
  );
};

const ruledDescendants = async (
  client: ClientBase,
  { id }: PersonalApiKey,
  caller: Caller | null,
): Promise<PersonalApiKey[]> => {
  const descendants = await descendantsOf(client, id);
  return caller ? descendants.filter((made) => rulesOver(caller, made)) : descendants;
};

/**
 * Revokes keys. `revoked` has each parent before its children. Children that are not revoked get the nearest ancestor that is not
 * revoked as their parent.
 */
const revokeAll = async (
  client: ClientBase,
  revoked: readonly { readonly key: PersonalApiKey; readonly reason: Reason }[],
  caller: Caller | null,
  author: ActivityAuthor,
): Promise<string[]> => {
  for (const { key } of [...revoked].reverse()) await passChildren(client, key.id, key.parentId);
  const ids = revoked.map(({ key }) => key.id);
  // This waits for requests that are giving access with these keys at the moment.
  await deleteKeys(client, ids);
  const listed: Revoked[] = [];
  for (const one of revoked) listed.push({ ...one, made: await creationsOf(client, one.key.id) });
  await endLinksOf(client, ids);
  await recordRevoked(client, listed, caller?.keyId ?? null, author);
  return ids;
};
