import { type ClientBase } from 'pg';
import { conflict } from '../../common/errors/problem.js';

export const maxKeysPerUser = 1000;

/** Before a key is made. Two requests cannot both make the last one: the second waits here for the first to commit. */
export const refuseOneKeyTooMany = async (client: ClientBase, userId: number): Promise<void> => {
  await client.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM personal_api_keys WHERE user_id = $1', [
    userId,
  ]);
  if (Number(rows[0]?.count) < maxKeysPerUser) return;
  throw conflict(
    `A user can have ${maxKeysPerUser} keys, expired ones included, and this one has them: revoke keys that are not used any more`,
  );
};
