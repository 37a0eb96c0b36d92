import { type ClientBase } from 'pg';
import { type Caller } from '../../common/access/caller.js';
import { grantableScopes, holds } from '../../common/access/scopes.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';
import { type Queryable } from '../../stores/postgres/postgres.js';

const columns = `
  k.id, k.user_id AS "userId", k.label, k.digest, k.mask_value AS "maskValue", k.scopes, k.project_ids AS "projectIds",
  k.parent_id AS "parentId", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.expires_at AS "expiresAt"`;

/**
 * Whatever changes keys of a user holds this lock, so that one key's grant cannot change while another is judged by it, and
 * no key can gain a child while it is revoked. Weaker than what a delete of the user takes, so cohorts may refer to the user
 * meanwhile.
 */
export const lockKeysOf = async (client: ClientBase, userId: number): Promise<void> => {
  await client.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
};

export const findKey = async (client: Queryable, id: string): Promise<PersonalApiKey | null> => {
  const { rows } = await client.query<PersonalApiKey>(`SELECT ${columns} FROM personal_api_keys k WHERE k.id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
};

export const everyKey = async (postgres: Queryable): Promise<PersonalApiKey[]> =>
  (await postgres.query<PersonalApiKey>(`SELECT ${columns} FROM personal_api_keys k ORDER BY k.created_at, k.id`)).rows;

/** The same as `rulesOver` says of one key. */
const ruled = `
  k.user_id = $1 AND (k.id = $2 OR (
    k.scopes <@ $3::text[]
    AND ($4::integer[] IS NULL OR (k.project_ids IS NOT NULL AND k.project_ids <@ $4::integer[]))
    AND ($5::timestamptz IS NULL OR k.expires_at <= $5)))`;

/** Newest first, those that the caller rules over. */
export const ruledKeys = async (
  postgres: Queryable,
  { userId, keyId, scopes, projectIds, expiresAt }: Caller,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ count: number; keys: PersonalApiKey[] }> => {
  const covered = grantableScopes.filter((scope) => holds(scopes, scope));
  const caller = [userId, keyId, covered, projectIds, expiresAt];
  const [{ rows: keys }, { rows: counted }] = await Promise.all([
    postgres.query<PersonalApiKey>(
      `SELECT ${columns} FROM personal_api_keys k WHERE ${ruled} ORDER BY k.created_at DESC, k.id DESC LIMIT $6 OFFSET $7`,
      [...caller, limit, offset],
    ),
    postgres.query<{ count: string }>(`SELECT count(*) FROM personal_api_keys k WHERE ${ruled}`, caller),
  ]);
  return { count: Number(counted[0]?.count), keys };
};

/** Keys that a key made, and those that these made, and so on: each after the key that made it. */
export const descendantsOf = async (client: ClientBase, id: string): Promise<PersonalApiKey[]> => {
  const { rows } = await client.query<PersonalApiKey>(
    `WITH RECURSIVE descendants AS (
       SELECT id, 1 AS depth FROM personal_api_keys WHERE parent_id = $1
       UNION ALL
       SELECT child.id, depth + 1 FROM personal_api_keys child JOIN descendants ON child.parent_id = descendants.id
     )
     SELECT ${columns} FROM descendants d JOIN personal_api_keys k ON k.id = d.id ORDER BY d.depth, k.id`,
    [id],
  );
  return rows;
};

const columnOf = {
  label: 'label',
  scopes: 'scopes',
  projectIds: 'project_ids',
  expiresAt: 'expires_at',
} as const;

export type KeyChanges = Partial<Pick<PersonalApiKey, keyof typeof columnOf>>;

/** Writes what is named and nothing else. */
export const updateKey = async (client: ClientBase, id: string, changes: KeyChanges): Promise<void> => {
  const named = (Object.keys(changes) as (keyof KeyChanges)[]).filter((name) => changes[name] !== undefined);
  if (named.length === 0) return;
  const assignments = named.map((name, at) => `${columnOf[name]} = $${at + 2}`).join(', ');
  await client.query(`UPDATE personal_api_keys SET ${assignments} WHERE id = $1`, [
    id,
    ...named.map((name) => changes[name]),
  ]);
};

export const insertKey = async (client: ClientBase, key: PersonalApiKey): Promise<void> => {
  await client.query(
    `INSERT INTO personal_api_keys (id, user_id, label, digest, mask_value, scopes, project_ids, parent_id, created_at,
       expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[key.id, key.userId, key.label, key.digest, key.maskValue, key.scopes, key.projectIds],
      ...[key.parentId, key.createdAt, key.expiresAt],
    ],
  );
};

export const deleteKeys = async (client: ClientBase, ids: readonly string[]): Promise<void> => {
  await client.query('DELETE FROM personal_api_keys WHERE id = ANY ($1::uuid[])', [ids]);
};

/** What one key made counts as made by another from now on. */
export const passChildren = async (client: ClientBase, from: string, to: string | null): Promise<void> => {
  await client.query('UPDATE personal_api_keys SET parent_id = $2 WHERE parent_id = $1', [from, to]);
};

/** The first id that names no project, by its place; -1 when all do. */
export const unknownProject = async (client: ClientBase, ids: readonly number[]): Promise<number> => {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM projects WHERE id = ANY ($1::integer[])', [ids]);
  return ids.findIndex((id) => !rows.some((project) => project.id === id));
};
