import { type ClientBase } from 'pg';
import { conflict } from '../../platform/errors/problem.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export const maxKeysPerUser = 1000;

/**
 * Refuses a key beyond the cap. Must be called before a key is made: a second request waits here until the first commits, so two
 * requests cannot both make the last allowed key.
 */
export const refuseOneKeyTooMany = async (client: ClientBase, userId: number): Promise<void> => {
  await client.query(pgSql`SELECT 1 FROM users WHERE id = ${bound(userId)} FOR NO KEY UPDATE`);
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM personal_api_keys WHERE user_id = ${bound(userId)}`,
  );
  if (Number(rows[0]?.count) < maxKeysPerUser) return;
  throw conflict(
    `A user can have at most ${maxKeysPerUser} keys, expired ones included: revoke keys that are no longer used`,
  );
};
