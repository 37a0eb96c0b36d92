import { type Caller } from '../../kernel/access/caller.js';
import { type ProjectRole, type Rights } from '../../kernel/access/roles.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** A column with the roles of the user `userId`, in the form that `rolesOf` reads. */
export const rolesColumn = (userId: PgSql): PgSql => pgSql`
  (SELECT coalesce(jsonb_object_agg(m.project_id, m.role), '{}') FROM project_members m WHERE m.user_id = ${userId})`;

export const rolesOf = (column: Readonly<Record<string, ProjectRole>>): Rights['roles'] =>
  new Map(Object.entries(column).map(([id, role]) => [Number(id), role]));

interface RightsRow {
  readonly is_owner: boolean;
  readonly roles: Readonly<Record<string, ProjectRole>>;
}

/** Returns the rights of a user; null when the user does not exist. */
export const rightsOf = async (client: Queryable, userId: number): Promise<Rights | null> => {
  const { rows } = await client.query<RightsRow>(
    pgSql`SELECT u.is_owner, ${rolesColumn(pgSql`u.id`)} AS roles FROM users u WHERE u.id = ${bound(userId)}`,
  );
  return rows[0] ? { isOwner: rows[0].is_owner, roles: rolesOf(rows[0].roles) } : null;
};

export interface OwnProject {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly timezone: string;
  readonly role: ProjectRole | null;
}

/** Returns the projects that a caller opens, with the role of its user. */
export const ownProjects = async (
  postgres: Queryable,
  { userId, projectIds }: Pick<Caller, 'userId' | 'projectIds'>,
): Promise<OwnProject[]> => {
  const ids = bound(projectIds);
  const { rows } = await postgres.query<OwnProject>(pgSql`
    SELECT p.id, p.uuid, p.name, p.timezone, m.role
    FROM projects p LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = ${bound(userId)}
    WHERE p.deleted_at IS NULL AND (${ids}::integer[] IS NULL OR p.id = ANY (${ids}))
    ORDER BY p.id`);
  return rows;
};
