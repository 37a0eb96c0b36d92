import { type ClientBase } from 'pg';
import { type Requester } from '../../kernel/access/author.js';
import { authenticationFailed, permissionDenied } from '../../platform/errors/problem.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type KeyCreationsDto } from './key-creations.dto.js';

/** True for a key that is there and has not expired, and for no key at all. It cannot be revoked until the transaction ends. */
export const lockLiveKey = async (client: ClientBase, keyId: string | null, now: Date): Promise<boolean> =>
  keyId === null || isLive(await lockedExpiry(client, keyId), now);

/**
 * Call it in the transaction that makes what gives access, after its other locks: a revocation then waits, and knows what the
 * key has made. Such things have no expiry, so a key with one must not make them.
 */
export const lockMaker = async (client: ClientBase, { keyId, now }: Requester): Promise<void> => {
  if (keyId === null) return;
  const expiry = await lockedExpiry(client, keyId);
  if (!isLive(expiry, now)) throw authenticationFailed();
  if (expiry === null) return;
  throw permissionDenied(
    'The API key expires, and the access that this request gives would outlive it: use a key without expires_at, or sign in',
  );
};

/** Null: the key does not expire. Undefined: there is no such key. */
const lockedExpiry = async (client: ClientBase, keyId: string): Promise<Date | null | undefined> => {
  const { rows } = await client.query<{ expires_at: Date | null }>(
    pgSql`SELECT expires_at FROM personal_api_keys WHERE id = ${bound(keyId)} FOR SHARE`,
  );
  return rows[0]?.expires_at;
};

const isLive = (expiry: Date | null | undefined, now: Date): boolean =>
  expiry === null || (expiry !== undefined && expiry > now);

/** Of each kind at most this many are listed. */
export const maxCreations = 1000;

/** The records that a key has made, that give access and that still exist. */
export const creationsOf = async (client: Queryable, keyId: string): Promise<KeyCreationsDto> => {
  const by = pgSql`WHERE made_by_key = ${bound(keyId)}`;
  const limit = pgSql`LIMIT ${bound(maxCreations)}`;
  const { rows: invitations } = await client.query<{ project_id: number; id: string }>(
    pgSql`SELECT project_id, id FROM invitations ${by} ORDER BY project_id, id ${limit}`,
  );
  const { rows: members } = await client.query<{ project_id: number; user_id: number }>(
    pgSql`SELECT project_id, user_id FROM project_members ${by} ORDER BY project_id, user_id ${limit}`,
  );
  const { rows: users } = await client.query<{ id: number }>(pgSql`SELECT id FROM users ${by} ORDER BY id ${limit}`);
  const { rows: webhooks } = await client.query<{ project_id: number; id: number }>(
    pgSql`SELECT project_id, id FROM webhooks ${by} ORDER BY project_id, id ${limit}`,
  );
  return { invitations, members, users, webhooks };
};

/** The invitations and the links to set passwords that keys have made, and that are still open, work no longer. */
export const endLinksOf = async (client: ClientBase, keyIds: readonly string[]): Promise<void> => {
  await client.query(pgSql`DELETE FROM invitations WHERE made_by_key = ANY (${bound(keyIds)}::uuid[])`);
  await client.query(pgSql`DELETE FROM one_time_links WHERE made_by_key = ANY (${bound(keyIds)}::uuid[])`);
};
