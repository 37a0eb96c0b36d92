import { type ClientBase } from 'pg';
import { type Requester } from '../../kernel/access/author.js';
import { authenticationFailed, permissionDenied } from '../../platform/errors/problem.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type KeyCreationsDto } from './key-creations.dto.js';

/** True without a key, and if the key exists and has not expired. Such a key cannot be revoked until the transaction ends. */
export const lockLiveKey = async (client: ClientBase, keyId: string | null, now: Date): Promise<boolean> =>
  keyId === null || isLive(await lockedExpiry(client, keyId), now);

/**
 * Locks the key of the caller. Must be called in the transaction that makes something that gives access, after its other locks: a
 * revocation of the key then waits, and knows everything that the key has made. A key that expires is refused, because the things
 * it makes do not expire.
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

/** Returns null when the key does not expire, undefined when it does not exist. */
const lockedExpiry = async (client: ClientBase, keyId: string): Promise<Date | null | undefined> => {
  const { rows } = await client.query<{ expires_at: Date | null }>(
    pgSql`SELECT expires_at FROM personal_api_keys WHERE id = ${bound(keyId)} FOR SHARE`,
  );
  return rows[0]?.expires_at;
};

const isLive = (expiry: Date | null | undefined, now: Date): boolean =>
  expiry === null || (expiry !== undefined && expiry > now);

/** At most this many things of each kind are listed. */
export const maxCreations = 1000;

/** Returns what the key has made that gives access and still exists. */
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
  const { rows: exports } = await client.query<{ project_id: number; id: number }>(
    pgSql`SELECT project_id, id FROM batch_exports ${by} ORDER BY project_id, id ${limit}`,
  );
  return { invitations, members, users, webhooks, batch_exports: exports };
};

/** Deletes the open invitations and the links to set passwords that these keys have made. */
export const endLinksOf = async (client: ClientBase, keyIds: readonly string[]): Promise<void> => {
  await client.query(pgSql`DELETE FROM invitations WHERE made_by_key = ANY (${bound(keyIds)}::uuid[])`);
  await client.query(pgSql`DELETE FROM one_time_links WHERE made_by_key = ANY (${bound(keyIds)}::uuid[])`);
};
