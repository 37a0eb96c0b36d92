import { type ClientBase } from 'pg';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Caller } from '../../kernel/access/caller.js';
import { conflict } from '../../platform/errors/problem.js';
import { recordRotated } from './key-activity.js';
import { descendantsOf, findKey, replaceSecret, updateKey } from './keys.repository.js';
import { digestOf, maskOf, newKeyText } from './key-text.js';
import { type KeyDto, toKeyDto } from './key.dto.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

/**
 * Gives the key a new secret, which the caller gets to know. The caller's key becomes the parent, so that revoking a leaked key
 * also revokes every key that was rotated with it. The transaction must hold `lockKeysOf`.
 */
export const rotateKey = async (
  client: ClientBase,
  key: PersonalApiKey,
  /** The end of the previous secret; null to end it at once. */
  until: Date | null,
  caller: Caller,
  author: ActivityAuthor,
): Promise<KeyDto> => {
  if (key.expiresAt !== null && key.expiresAt <= author.now)
    throw conflict('The key has expired, and so would its new secret: create a new key, or move its expiry first');
  await makeChildOf(client, key, caller);
  const text = newKeyText();
  await replaceSecret(client, key.id, { digest: digestOf(text), maskValue: maskOf(text) }, until);
  const rotated = (await findKey(client, key.id)) as PersonalApiKey;
  await recordRotated(client, key, rotated, caller.keyId, author);
  return toKeyDto(rotated, text);
};

const makeChildOf = async (client: ClientBase, key: PersonalApiKey, { keyId }: Caller): Promise<void> => {
  // A secret that a session has seen must not outlive the rights of the session's user.
  if (keyId === null) return updateKey(client, key.id, { ofSession: true });
  if (keyId === key.id) return;
  const below = await descendantsOf(client, key.id);
  if (below.some(({ id }) => id === keyId))
    throw conflict('The key of this request descends from that key, which it therefore cannot rotate: use another key');
  const made = await descendantsOf(client, keyId);
  const parentId = made.some(({ id }) => id === key.id) ? undefined : keyId;
  const ofSession = (await findKey(client, keyId))?.ofSession ? true : undefined;
  await updateKey(client, key.id, { parentId, ofSession });
};
