import { type ClientBase } from 'pg';
import { type ProjectRole } from '../../kernel/access/roles.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type MemberDto } from './member.dto.js';

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: ProjectRole;
  readonly joined_at: Date;
}

const select = pgSql`
  SELECT u.id, u.uuid, u.first_name, u.last_name, u.email, m.role, m.joined_at
  FROM project_members m JOIN users u ON u.id = m.user_id`;

const toMemberDto = ({ role, joined_at, ...user }: Row): MemberDto => ({
  user,
  role,
  joined_at: joined_at.toISOString(),
});

/** Returns the members of a project; those who joined last come first. */
export const membersOfProject = async (
  postgres: Queryable,
  projectId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Slice<MemberDto>> => {
  const ofProject = pgSql`WHERE m.project_id = ${bound(projectId)}`;
  const [{ rows }, { rows: counted }] = await Promise.all([
    postgres.query<Row>(
      pgSql`${select} ${ofProject} ORDER BY m.joined_at DESC, u.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM project_members m ${ofProject}`),
  ]);
  return { count: Number(counted[0]?.count), results: rows.map(toMemberDto) };
};

export const countMembers = async (client: Queryable, projectId: number): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM project_members WHERE project_id = ${bound(projectId)}`,
  );
  return Number(rows[0]?.count);
};

export const findMember = async (client: Queryable, projectId: number, userId: number): Promise<MemberDto | null> => {
  const { rows } = await client.query<Row>(
    pgSql`${select} WHERE m.project_id = ${bound(projectId)} AND m.user_id = ${bound(userId)}`,
  );
  return rows[0] ? toMemberDto(rows[0]) : null;
};

export const insertMember = async (
  client: ClientBase,
  member: {
    readonly projectId: number;
    readonly userId: number;
    readonly role: ProjectRole;
    readonly joinedAt: Date;
    readonly madeByKey: string | null;
  },
): Promise<void> => {
  await client.query(pgSql`
    INSERT INTO project_members (project_id, user_id, role, joined_at, made_by_key)
    VALUES (${bound(member.projectId)}, ${bound(member.userId)}, ${bound(member.role)}, ${bound(member.joinedAt)}, ${bound(member.madeByKey)})`);
};

export const setRole = async (
  client: ClientBase,
  projectId: number,
  userId: number,
  role: ProjectRole,
  madeByKey: string | null,
): Promise<void> => {
  await client.query(pgSql`
    UPDATE project_members SET role = ${bound(role)}, made_by_key = ${bound(madeByKey)}
    WHERE project_id = ${bound(projectId)} AND user_id = ${bound(userId)}`);
};

export const deleteMember = async (client: ClientBase, projectId: number, userId: number): Promise<void> => {
  await client.query(
    pgSql`DELETE FROM project_members WHERE project_id = ${bound(projectId)} AND user_id = ${bound(userId)}`,
  );
};

/** Removes a user from all projects. Returns these projects, with the roles. */
export const deleteMemberships = async (
  client: ClientBase,
  userId: number,
): Promise<{ readonly project_id: number; readonly role: ProjectRole }[]> =>
  (
    await client.query<{ project_id: number; role: ProjectRole }>(
      pgSql`DELETE FROM project_members WHERE user_id = ${bound(userId)} RETURNING project_id, role`,
    )
  ).rows;

/** True if the project has another admin or the installation has an owner. The rows of the admins stay locked. */
export const hasOtherManager = async (client: ClientBase, projectId: number, userId: number): Promise<boolean> => {
  const { rows } = await client.query<{ user_id: number }>(pgSql`
    SELECT user_id FROM project_members WHERE project_id = ${bound(projectId)} AND role = 'admin'
    ORDER BY user_id FOR UPDATE`);
  if (rows.some((admin) => admin.user_id !== userId)) return true;
  const owners = await client.query(pgSql`SELECT 1 FROM users WHERE is_owner LIMIT 1`);
  return owners.rowCount === 1;
};
