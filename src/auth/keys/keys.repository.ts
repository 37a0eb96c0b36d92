import { type ClientBase } from 'pg';
import { type Caller } from '../../kernel/access/caller.js';
import { grantableScopes, holds } from '../../kernel/access/scopes.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** The columns of a key. A previous secret whose time has ended, by PostgreSQL's clock, is left out. */
const columns = pgSql`
  k.id, k.user_id AS "userId", k.label, k.digest, k.mask_value AS "maskValue", k.scopes, k.project_ids AS "projectIds",
  CASE WHEN k.previous_until > now() THEN k.previous_digest END AS "previousDigest",
  CASE WHEN k.previous_until > now() THEN k.previous_until END AS "previousUntil",
  k.parent_id AS "parentId", k.of_session AS "ofSession", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.expires_at AS "expiresAt"`;

/**
 * Locks the keys of a user. Every change of these keys holds this lock, which keeps the rights of one key unchanged while another
 * key is compared with it, and keeps a key from getting children while it is revoked. The lock is weaker than that of deleting
 * the user, so that rows such as cohorts may refer to the user meanwhile.
 */
export const lockKeysOf = async (client: ClientBase, userId: number): Promise<void> => {
  await client.query(pgSql`SELECT 1 FROM users WHERE id = ${bound(userId)} FOR NO KEY UPDATE`);
};

export const findKey = async (client: Queryable, id: string): Promise<PersonalApiKey | null> => {
  const { rows } = await client.query<PersonalApiKey>(
    pgSql`SELECT ${columns} FROM personal_api_keys k WHERE k.id = ${bound(id)}`,
  );
  return rows[0] ?? null;
};

/** Returns all keys, each with the e-mail of its user. */
export const everyKey = async (postgres: Queryable): Promise<(PersonalApiKey & { readonly email: string })[]> => {
  const { rows } = await postgres.query<PersonalApiKey & { email: string }>(pgSql`
    SELECT ${columns}, u.email FROM personal_api_keys k JOIN users u ON u.id = k.user_id ORDER BY k.created_at, k.id`);
  return rows;
};

/** Returns the keys of a user, each after the key that made it. */
export const keysOfUser = async (client: ClientBase, userId: number): Promise<PersonalApiKey[]> =>
  (
    await client.query<PersonalApiKey>(
      pgSql`SELECT ${columns} FROM personal_api_keys k WHERE k.user_id = ${bound(userId)} ORDER BY k.created_at, k.id`,
    )
  ).rows;

export const keysOfSessions = async (client: ClientBase, userId: number): Promise<PersonalApiKey[]> =>
  (await keysOfUser(client, userId)).filter(({ ofSession }) => ofSession);

/** The condition of `rulesOver` in SQL. */
const ruledBy = ({ userId, keyId, scopes, projectIds, expiresAt }: Caller): PgSql => {
  if (keyId === null) return pgSql`k.user_id = ${bound(userId)}`;
  const covered = bound(grantableScopes.filter((scope) => holds(scopes, scope)));
  const projects = bound(projectIds);
  const expiry = bound(expiresAt);
  return pgSql`
    k.user_id = ${bound(userId)} AND (k.id = ${bound(keyId)} OR (
      k.scopes <@ ${covered}::text[]
      AND (${projects}::integer[] IS NULL OR (k.project_ids IS NOT NULL AND k.project_ids <@ ${projects}::integer[]))
      AND (${expiry}::timestamptz IS NULL OR k.expires_at <= ${expiry})))`;
};

/** Returns the keys that the caller may manage, newest first. */
export const ruledKeys = async (
  postgres: Queryable,
  caller: Caller,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ count: number; keys: PersonalApiKey[] }> => {
  const ruled = ruledBy(caller);
  const [{ rows: keys }, { rows: counted }] = await Promise.all([
    postgres.query<PersonalApiKey>(
      pgSql`
        SELECT ${columns} FROM personal_api_keys k WHERE ${ruled}
        ORDER BY k.created_at DESC, k.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM personal_api_keys k WHERE ${ruled}`),
  ]);
  return { count: Number(counted[0]?.count), keys };
};

/** Returns the keys that a key made, directly or through other keys, each after the key that made it. */
export const descendantsOf = async (client: ClientBase, id: string): Promise<PersonalApiKey[]> => {
  const { rows } = await client.query<PersonalApiKey>(
    pgSql`WITH RECURSIVE descendants AS (
       SELECT id, 1 AS depth FROM personal_api_keys WHERE parent_id = ${bound(id)}
       UNION ALL
       SELECT child.id, depth + 1 FROM personal_api_keys child JOIN descendants ON child.parent_id = descendants.id
     )
     SELECT ${columns} FROM descendants d JOIN personal_api_keys k ON k.id = d.id ORDER BY d.depth, k.id`,
  );
  return rows;
};

/** Returns the users of the keys that name the project. */
export const usersOfKeysTo = async (postgres: Queryable, projectId: number): Promise<number[]> => {
  const { rows } = await postgres.query<{ id: number }>(
    pgSql`SELECT DISTINCT user_id AS id FROM personal_api_keys WHERE ${bound(projectId)} = ANY (project_ids) ORDER BY id`,
  );
  return rows.map(({ id }) => id);
};

const columnOf = {
  label: pgSql`label`,
  scopes: pgSql`scopes`,
  projectIds: pgSql`project_ids`,
  expiresAt: pgSql`expires_at`,
  ofSession: pgSql`of_session`,
  parentId: pgSql`parent_id`,
};

export type KeyChanges = Partial<Pick<PersonalApiKey, keyof typeof columnOf>>;

/** Updates the given columns only. */
export const updateKey = async (client: ClientBase, id: string, changes: KeyChanges): Promise<void> => {
  const named = (Object.keys(changes) as (keyof KeyChanges)[]).filter((name) => changes[name] !== undefined);
  if (named.length === 0) return;
  const assignments = joinedSql(named.map((name) => pgSql`${columnOf[name]} = ${bound(changes[name])}`));
  await client.query(pgSql`UPDATE personal_api_keys SET ${assignments} WHERE id = ${bound(id)}`);
};

/** Replaces the secret of a key. The replaced secret works until `until`; an older one stops at once. */
export const replaceSecret = async (
  client: ClientBase,
  id: string,
  { digest, maskValue }: Pick<PersonalApiKey, 'digest' | 'maskValue'>,
  /** The end of the replaced secret, by the clock of PostgreSQL; null to end it at once. */
  until: Date | null,
): Promise<void> => {
  const end = bound(until);
  await client.query(
    pgSql`
      UPDATE personal_api_keys SET digest = ${bound(digest)}, mask_value = ${bound(maskValue)},
        previous_digest = CASE WHEN ${end}::timestamptz IS NOT NULL THEN digest END,
        previous_until = ${end}::timestamptz
      WHERE id = ${bound(id)}`,
  );
};

export const insertKey = async (client: ClientBase, key: PersonalApiKey): Promise<void> => {
  await client.query(
    pgSql`
      INSERT INTO personal_api_keys (id, user_id, label, digest, mask_value, scopes, project_ids, parent_id, of_session,
        created_at, expires_at)
      VALUES (${bound(key.id)}, ${bound(key.userId)}, ${bound(key.label)}, ${bound(key.digest)}, ${bound(key.maskValue)},
        ${bound(key.scopes)}, ${bound(key.projectIds)}, ${bound(key.parentId)}, ${bound(key.ofSession)},
        ${bound(key.createdAt)}, ${bound(key.expiresAt)})`,
  );
};

export const deleteKeys = async (client: ClientBase, ids: readonly string[]): Promise<void> => {
  await client.query(pgSql`DELETE FROM personal_api_keys WHERE id = ANY (${bound(ids)}::uuid[])`);
};

/** Gives the children of one key to another key. */
export const passChildren = async (client: ClientBase, from: string, to: string | null): Promise<void> => {
  await client.query(pgSql`UPDATE personal_api_keys SET parent_id = ${bound(to)} WHERE parent_id = ${bound(from)}`);
};

/** Returns the index of the first id that is no project's; -1 when there is none. */
export const unknownProject = async (client: ClientBase, ids: readonly number[]): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM projects WHERE id = ANY (${bound(ids)}::integer[]) AND deleted_at IS NULL`,
  );
  return ids.findIndex((id) => !rows.some((project) => project.id === id));
};
