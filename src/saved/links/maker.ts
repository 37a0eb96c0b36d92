import { rightsOf } from '../../auth/users/user-rights.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { scopesOn } from '../../kernel/access/roles.js';
import { firstMissing, type GrantedScope } from '../../kernel/access/scopes.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** The scopes that the maker of a link or a schedule must have, when it is made and as long as it is used. */
export const scopesOfMaker = ['dashboard:write', 'person:read'] as const;

interface Made {
  readonly created_by: number;
  /** Null: a session. */
  readonly made_by_key: string | null;
}

/** True if what was made shows nothing that its maker cannot see: the key with which it was made, or else the user. */
export const mayStillShow = async (
  reader: Queryable,
  project: ProjectContext,
  { created_by: userId, made_by_key: keyId }: Made,
  now: Date,
): Promise<boolean> => {
  const scopes = await (keyId === null
    ? scopesOfUser(reader, project, userId)
    : scopesOfKey(reader, project, keyId, now));
  return firstMissing(scopes, scopesOfMaker) === null;
};

const scopesOfUser = async (
  reader: Queryable,
  project: ProjectContext,
  userId: number,
): Promise<readonly GrantedScope[]> => {
  const rights = await rightsOf(reader, userId);
  return rights ? scopesOn(rights, [project.id]) : [];
};

const scopesOfKey = async (
  reader: Queryable,
  { id }: ProjectContext,
  keyId: string,
  now: Date,
): Promise<readonly GrantedScope[]> => {
  const { rows } = await reader.query<{ scopes: GrantedScope[] }>(
    pgSql`SELECT scopes FROM personal_api_keys
     WHERE id = ${bound(keyId)} AND (expires_at IS NULL OR expires_at > ${bound(now)})
       AND (project_ids IS NULL OR ${bound(id)}::integer = ANY (project_ids))`,
  );
  return rows[0]?.scopes ?? [];
};
