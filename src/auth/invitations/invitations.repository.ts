import { type ClientBase } from 'pg';
import { type Slice } from '../../platform/http/page.dto.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Invitation } from './invitation.entity.js';

export type InvitationRow = Omit<Invitation, 'digest'>;

const columns = pgSql`
  i.project_id AS "projectId", i.id, i.email, i.role, i.invited_by AS "invitedBy", i.created_at AS "createdAt",
  i.expires_at AS "expiresAt", i.made_by_key AS "madeByKey"`;

/** Returns the open invitations of a project, newest first. */
export const invitationsOf = async (
  postgres: Queryable,
  projectId: number,
  now: Date,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Slice<InvitationRow>> => {
  const open = pgSql`FROM invitations i WHERE i.project_id = ${bound(projectId)} AND i.expires_at > ${bound(now)}`;
  const [{ rows }, { rows: counted }] = await Promise.all([
    postgres.query<InvitationRow>(
      pgSql`SELECT ${columns} ${open} ORDER BY i.created_at DESC, i.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
    ),
    postgres.query<{ count: string }>(pgSql`SELECT count(*) ${open}`),
  ]);
  return { count: Number(counted[0]?.count), results: rows };
};

export const findInvitation = async (client: Queryable, projectId: number, id: string): Promise<InvitationRow | null> =>
  (
    await client.query<InvitationRow>(
      pgSql`SELECT ${columns} FROM invitations i WHERE i.project_id = ${bound(projectId)} AND i.id = ${bound(id)}`,
    )
  ).rows[0] ?? null;

export interface PendingInvitation extends InvitationRow {
  readonly projectName: string;
}

export const findByDigest = async (client: Queryable, digest: Buffer, now: Date): Promise<PendingInvitation | null> =>
  (
    await client.query<PendingInvitation>(pgSql`
      SELECT ${columns}, p.name AS "projectName" FROM invitations i JOIN projects p ON p.id = i.project_id
      WHERE i.digest = ${bound(digest)} AND i.expires_at > ${bound(now)} AND p.deleted_at IS NULL`)
  ).rows[0] ?? null;

/**
 * Removes an open invitation and returns it. Of two requests with the same link, the second waits for the first and finds
 * nothing, unless the first rolls back.
 */
export const takeInvitation = async (client: ClientBase, digest: Buffer, now: Date): Promise<InvitationRow | null> =>
  (
    await client.query<InvitationRow>(pgSql`
      DELETE FROM invitations i WHERE i.digest = ${bound(digest)} AND i.expires_at > ${bound(now)} RETURNING ${columns}`)
  ).rows[0] ?? null;

export const insertInvitation = async (client: ClientBase, invitation: Invitation): Promise<void> => {
  await client.query(pgSql`
    INSERT INTO invitations (project_id, id, email, role, digest, invited_by, created_at, expires_at, made_by_key)
    VALUES (${bound(invitation.projectId)}, ${bound(invitation.id)}, ${bound(invitation.email)}, ${bound(invitation.role)},
      ${bound(invitation.digest)}, ${bound(invitation.invitedBy)}, ${bound(invitation.createdAt)},
      ${bound(invitation.expiresAt)}, ${bound(invitation.madeByKey)})`);
};

export const deleteInvitation = async (client: ClientBase, projectId: number, id: string): Promise<void> => {
  await client.query(pgSql`DELETE FROM invitations WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`);
};

/** Deletes the earlier invitations of an e-mail to a project, and all expired ones of that project. */
export const deleteEarlier = async (client: ClientBase, projectId: number, email: string, now: Date): Promise<void> => {
  await client.query(pgSql`
    DELETE FROM invitations
    WHERE project_id = ${bound(projectId)} AND (lower(email) = lower(${bound(email)}) OR expires_at <= ${bound(now)})`);
};

export const countInvitations = async (client: ClientBase, projectId: number): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM invitations WHERE project_id = ${bound(projectId)}`,
  );
  return Number(rows[0]?.count);
};
