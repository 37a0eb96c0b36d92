import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ClientBase } from 'pg';
import { exceeds, scopesOfRole } from '../../kernel/access/roles.js';
import { type Author } from '../../kernel/access/author.js';
import { conflict, invalidInput, signInFailed } from '../../platform/errors/problem.js';
import { contextOf } from '../../platform/http/request-context.js';
import { assertSameOrigin, refuseOtherOrigin } from '../../platform/http/same-origin.js';
import { digestOfSecret, isSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { SessionLookup } from '../access/session-lookup.js';
import { lockLiveKey } from '../keys/key-creations.js';
import { OneTimeLinks } from '../links/one-time-links.js';
import { recordMember } from '../members/member-activity.js';
import { assertRoomForMember } from '../members/member-cap.js';
import { findMember, setRole } from '../members/members.repository.js';
import { MembersService } from '../members/members.service.js';
import { Passwords } from '../passwords/passwords.js';
import { SignInLimits } from '../limits/sign-in-limits.js';
import { PasswordChange } from '../sessions/password-change.js';
import { sessionTokenOf } from '../sessions/session-cookie.js';
import { type OpenedSession, SessionsService } from '../sessions/sessions.service.js';
import { type UserAccount, findAccount, insertUser, lockAccount, updateUser } from '../users/users.repository.js';
import { recordUser } from '../users/user-activity.js';
import { type AcceptedInvitationDto, type AcceptInvitationBody, type InvitationPreviewDto } from './invitation.dto.js';
import { findByDigest, type InvitationRow, type PendingInvitation, takeInvitation } from './invitations.repository.js';
import { recordInvitation } from './invitations.service.js';

const wrongLink = () => signInFailed('The link is not valid: it was used or revoked, or has expired');

/**
 * Accepts an invitation, or a link to set a password. An invitation alone never opens an existing account: the member who made
 * the link knows it, so the user must also prove who they are.
 */
@Injectable()
export class Acceptance {
  constructor(
    private readonly postgres: Postgres,
    private readonly lookup: SessionLookup,
    private readonly links: OneTimeLinks,
    private readonly members: MembersService,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly sessions: SessionsService,
    private readonly change: PasswordChange,
  ) {}

  async preview(token: string, request: Request): Promise<InvitationPreviewDto> {
    const attempt = await this.limits.start(request, null);
    const { now } = contextOf(request);
    const [digest, invitation] = await this.find(token, now);
    if (!invitation) {
      const account = digest && (await this.links.userOf(digest, 'set_password', now));
      if (!account) throw wrongLink();
      await attempt.succeeded();
      return { email: account.email, project: null, role: null, needs: 'new_password' };
    }
    await attempt.succeeded();
    // The account is not looked up: the member who made the link could learn from the answer which e-mail addresses have an
    // account.
    const { email, role, projectId: id, projectName: name } = invitation;
    return { email, role, project: { id, name }, needs: 'password' };
  }

  async accept(body: AcceptInvitationBody, request: Request, response: Response): Promise<AcceptedInvitationDto> {
    refuseOtherOrigin(request);
    const attempt = await this.limits.start(request, null);
    const [digest, invitation] = await this.find(body.token, contextOf(request).now);
    if (!digest) throw wrongLink();
    const opened = invitation
      ? await this.join(digest, invitation, body, request)
      : await this.setPassword(digest, body, request);
    await attempt.succeeded();
    const session = this.sessions.handOver(opened, request, response);
    return invitation ? { ...session, project_id: invitation.projectId } : session;
  }

  private async find(token: string, now: Date): Promise<[Buffer | null, PendingInvitation | null]> {
    if (!isSecret(token)) return [null, null];
    const digest = digestOfSecret(token);
    return [digest, await findByDigest(this.postgres, digest, now)];
  }

  private async join(
    digest: Buffer,
    { email, projectId, madeByKey }: PendingInvitation,
    body: AcceptInvitationBody,
    request: Request,
  ): Promise<OpenedSession> {
    const account = await findAccount(this.postgres, email);
    if (account) await this.assertProof(account, body, request);
    // Hashing takes long, so it is done before the transaction.
    const passwordHash = account ? null : await this.passwords.hash(requirePassword(body));
    const { now, requestId } = contextOf(request);
    return this.postgres.transaction(async (client) => {
      const known = account && (await lockedId(client, account));
      // The key is locked before the invitation, in the order of a revocation. A revocation then waits until it can list the new
      // membership.
      if (!(await lockLiveKey(client, madeByKey, now))) throw wrongLink();
      const taken = await takeInvitation(client, digest, now);
      if (!taken) throw wrongLink();
      const names = { firstName: body.first_name, lastName: body.last_name };
      const userId = known ?? (await insertUser(client, { email, passwordHash, madeByKey, ...names }, now));
      const author: Author = { userId, requestId, now };
      if (!account) await recordUser(client, userId, 'created', [], author);
      await this.raise(client, projectId, userId, taken, author);
      await recordInvitation(client, taken, 'accepted', author);
      return this.sessions.openIn(client, userId, request);
    });
  }

  /**
   * Makes the user a member, or raises the role. A user who has become a member in another way meanwhile keeps the stronger of
   * the two roles.
   */
  private async raise(
    client: ClientBase,
    projectId: number,
    userId: number,
    { role, madeByKey }: InvitationRow,
    author: Author,
  ): Promise<void> {
    const member = await findMember(client, projectId, userId);
    if (!member) {
      await assertRoomForMember(client, projectId);
      return this.members.join(client, projectId, userId, role, { ...author, keyId: madeByKey });
    }
    if (!exceeds(role, scopesOfRole(member.role))) return;
    await setRole(client, projectId, userId, role, madeByKey);
    await recordMember(client, projectId, userId, { before: member.role, after: role }, author);
  }

  private async setPassword(digest: Buffer, body: AcceptInvitationBody, request: Request): Promise<OpenedSession> {
    const { now, requestId } = contextOf(request);
    if (!(await this.links.userOf(digest, 'set_password', now))) throw wrongLink();
    const hash = await this.passwords.hash(requirePassword(body));
    return this.postgres.transaction(async (client) => {
      const userId = await this.links.takeIn(client, body.token, 'set_password', now);
      if (userId === null) throw wrongLink();
      await lockAccount(client, userId);
      await updateUser(client, userId, { firstName: body.first_name, lastName: body.last_name });
      await this.change.apply(client, userId, hash, null, { userId, requestId, now });
      return this.sessions.openIn(client, userId, request);
    });
  }

  private async assertProof(account: UserAccount, body: AcceptInvitationBody, request: Request): Promise<void> {
    if (await this.isSignedInAs(account, request)) return;
    const given = requirePassword(body);
    const attempt = await this.limits.start(request, account.email);
    if (!(await this.passwords.matches(account.passwordHash, given)))
      throw signInFailed('The password is not that of the user with this e-mail');
    await attempt.succeeded();
  }

  private async isSignedInAs({ id }: UserAccount, request: Request): Promise<boolean> {
    const token = sessionTokenOf(request);
    if (token === null || !isSecret(token)) return false;
    assertSameOrigin(request);
    const access = await this.lookup.find(digestOfSecret(token), null);
    return access !== null && access.expiresAt > contextOf(request).now && access.caller.userId === id;
  }
}

/** Refuses a missing password in the same words, with or without an account of the e-mail. */
const requirePassword = ({ password }: AcceptInvitationBody): string => {
  if (password === undefined || password === null)
    throw invalidInput(
      'password is required: that of your account, or a new one if you have none; if you are signed in as the user of the link, it can be left out',
      'password',
    );
  return password;
};

/** Locks the user. The checked password must still be the user's own when the session opens. */
const lockedId = async (client: ClientBase, { id, passwordHash }: UserAccount): Promise<number> => {
  const account = await lockAccount(client, id);
  if (account?.passwordHash !== passwordHash) throw conflict('The user has changed meanwhile: try again');
  return id;
};
