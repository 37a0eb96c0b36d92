import { type ClientBase } from 'pg';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { recordChanged } from './key-activity.js';
import { revokeOfDeletedProject } from './key-revocation.js';
import { keysOfUser, lockKeysOf, updateKey, usersOfKeysTo } from './keys.repository.js';

/**
 * Removes a deleted project from the keys that name it. A key that opens no other project is revoked, because a key without
 * projects would open all of them. Returns the number of keys.
 */
export const closeToKeys = async (postgres: Postgres, projectId: number, now: Date): Promise<number> => {
  const author = { userId: null, requestId: null, now };
  let closed = 0;
  for (const userId of await usersOfKeysTo(postgres, projectId))
    closed += await postgres.transaction((client) => closeToKeysOf(client, userId, projectId, author));
  return closed;
};

const closeToKeysOf = async (
  client: ClientBase,
  userId: number,
  projectId: number,
  author: ActivityAuthor,
): Promise<number> => {
  await lockKeysOf(client, userId);
  const keys = (await keysOfUser(client, userId)).filter(({ projectIds }) => projectIds?.includes(projectId));
  const remaining = (projectIds: readonly number[] | null) => projectIds?.filter((id) => id !== projectId) ?? [];
  await revokeOfDeletedProject(
    client,
    keys.filter(({ projectIds }) => remaining(projectIds).length === 0),
    author,
  );
  for (const key of keys) {
    const projectIds = remaining(key.projectIds);
    if (projectIds.length === 0) continue;
    await updateKey(client, key.id, { projectIds });
    await recordChanged(client, key, { projectIds }, null, author);
  }
  return keys.length;
};
