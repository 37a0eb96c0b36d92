import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Caller } from '../../kernel/access/caller.js';
import { exceeds, type ProjectRole, scopesOfRole } from '../../kernel/access/roles.js';
import { type GrantedScope, holds } from '../../kernel/access/scopes.js';
import { type Requester } from '../../kernel/access/author.js';
import { conflict, invalidInput, notFound, permissionDenied, required } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { lockMaker } from '../keys/key-creations.js';
import { revokeBeyondRights } from '../keys/key-revocation.js';
import { type UserAccount, findAccount, lockAccount } from '../users/users.repository.js';
import { recordMember } from './member-activity.js';
import { assertRoomForMember } from './member-cap.js';
import { type CreateMemberBody, type MemberDto, type UpdateMemberBody } from './member.dto.js';
import {
  deleteMember,
  findMember,
  hasOtherManager,
  insertMember,
  membersOfProject,
  setRole,
} from './members.repository.js';

@Injectable()
export class MembersService {
  constructor(private readonly postgres: Postgres) {}

  list({ id }: ProjectContext, page: PageQuery): Promise<Slice<MemberDto>> {
    return membersOfProject(this.postgres, id, page);
  }

  async get(project: ProjectContext, userText: string): Promise<MemberDto> {
    return requireMember(userText, await findMember(this.postgres, project.id, readSmallId(userText) ?? 0));
  }

  add(project: ProjectContext, body: CreateMemberBody, caller: Caller, author: Requester): Promise<MemberDto> {
    refuseWithoutUsers(caller);
    return this.postgres.transaction(async (client) => {
      const { id } = await requireUser(client, body);
      if (await findMember(client, project.id, id))
        throw conflict('The user is a member already: change the role of the member instead', 'role');
      await assertRoomForMember(client, project.id);
      await lockMaker(client, author);
      await this.join(client, project.id, id, body.role, author);
      return (await findMember(client, project.id, id)) as MemberDto;
    });
  }

  update(project: ProjectContext, userText: string, body: UpdateMemberBody, author: Requester): Promise<MemberDto> {
    const { role } = body;
    if (role === null) throw required('role');
    return this.change(project, userText, author, async (client, member) => {
      assertUnchanged(body, member);
      if (role === undefined || role === member.role) return member;
      refuseStronger(role, author.scopes);
      if (member.role === 'admin') await assertOtherManager(client, project, member);
      if (exceeds(role, scopesOfRole(member.role))) await lockMaker(client, author);
      await setRole(client, project.id, member.user.id, role, author.keyId);
      await recordMember(client, project.id, member.user.id, { before: member.role, after: role }, author);
      if (exceeds(member.role, scopesOfRole(role))) await withdrawRights(client, project, member.user.id, author);
      return { ...member, role };
    });
  }

  remove(project: ProjectContext, userText: string, author: Requester): Promise<void> {
    return this.change(project, userText, author, async (client, member) => {
      if (member.role === 'admin') await assertOtherManager(client, project, member);
      await deleteMember(client, project.id, member.user.id);
      await recordMember(client, project.id, member.user.id, { before: member.role, after: null }, author);
      await withdrawRights(client, project, member.user.id, author);
    });
  }

  /** Makes a user a member, in the transaction of a caller that has locked the user and checked that the project has room. */
  async join(
    client: ClientBase,
    projectId: number,
    userId: number,
    role: ProjectRole,
    author: Omit<Requester, 'scopes'>,
  ): Promise<void> {
    await insertMember(client, { projectId, userId, role, joinedAt: author.now, madeByKey: author.keyId });
    await recordMember(client, projectId, userId, { before: null, after: role }, author);
  }

  /** Does `work` on a member. The user is locked first: every change keeps this order, so that no two wait for each other. */
  private change<T>(
    project: ProjectContext,
    userText: string,
    { scopes }: Requester,
    work: (client: ClientBase, member: MemberDto) => Promise<T>,
  ): Promise<T> {
    return this.postgres.transaction(async (client) => {
      const userId = readSmallId(userText) ?? 0;
      await lockAccount(client, userId);
      const member = requireMember(userText, await findMember(client, project.id, userId));
      refuseStronger(member.role, scopes);
      return work(client, member);
    });
  }
}

export const refuseStronger = (role: ProjectRole, own: readonly GrantedScope[]): void => {
  if (exceeds(role, own))
    throw permissionDenied(`The role ${role} can do more than you: only a stronger member gives or takes it`, 'role');
};

/** Refuses a caller that cannot list the users, before the body is read: adding some would tell which users exist. */
const refuseWithoutUsers = ({ scopes, projectIds }: Caller): void => {
  if (projectIds === null && holds(scopes, '*')) return;
  throw permissionDenied('Only owners of the installation make users members: create an invitation instead');
};

const requireMember = (userText: string, member: MemberDto | null): MemberDto => {
  if (!member) throw notFound(`there is no member ${userText}`);
  return member;
};

const requireUser = async (client: ClientBase, { email, user_id: id }: CreateMemberBody): Promise<UserAccount> => {
  const [byEmail, byId] = [email ?? null, id ?? null];
  if (byEmail !== null && byId !== null)
    throw invalidInput('user_id and email name the same user: send only one of them', 'user_id');
  if (byEmail === null && byId === null) throw required('email');
  const found = byEmail === null ? byId : ((await findAccount(client, byEmail))?.id ?? null);
  const account = found === null ? null : await lockAccount(client, found);
  if (account) return account;
  throw byEmail === null
    ? invalidInput('user_id names no user of the installation: invite the person instead', 'user_id')
    : invalidInput('email names no user of the installation: invite the person instead', 'email');
};

const assertOtherManager = async (client: ClientBase, { id }: ProjectContext, { user }: MemberDto): Promise<void> => {
  if (await hasOtherManager(client, id, user.id)) return;
  throw conflict('The last admin stays while the installation has no owner: make another member an admin first');
};

/** Ends the open invitations and the keys of sessions that a user made by rights which the user no longer has. */
const withdrawRights = async (
  client: ClientBase,
  { id }: ProjectContext,
  userId: number,
  author: Requester,
): Promise<void> => {
  await client.query(pgSql`DELETE FROM invitations WHERE project_id = ${bound(id)} AND invited_by = ${bound(userId)}`);
  await revokeBeyondRights(client, userId, author);
};
