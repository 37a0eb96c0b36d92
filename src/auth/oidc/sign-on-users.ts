import { Inject, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { type ClientBase } from 'pg';
import { type Author } from '../../kernel/access/author.js';
import { contextOf } from '../../platform/http/request-context.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { SessionAdmission } from '../access/session-admission.js';
import { OneTimeLinks } from '../links/one-time-links.js';
import { noRoomForMember } from '../members/member-cap.js';
import { MembersService } from '../members/members.service.js';
import { type OpenedSession, SessionsService } from '../sessions/sessions.service.js';
import { findAccount, insertUser, lockAccount, setEmailVerified, type UserAccount } from '../users/users.repository.js';
import { fieldChange, recordUser } from '../users/user-activity.js';
import { connectedUser, hasAccountAt, insertProviderAccount, lockConnections } from './provider-accounts.repository.js';
import { SignOnRefusal } from './refusals.js';
import { asciiLower, type SignOnAccount } from './sign-on-account.js';

type Moment = Omit<Author, 'userId'>;

/**
 * Finds or makes the user of an account at the provider, and opens a session. The subject decides who the user is; the e-mail
 * only decides with which user a new account may be connected.
 */
@Injectable()
export class SignOnUsers {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly sessions: SessionsService,
    private readonly admission: SessionAdmission,
    private readonly links: OneTimeLinks,
    private readonly members: MembersService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async open(account: SignOnAccount, request: Request): Promise<OpenedSession> {
    const { now, requestId } = contextOf(request);
    const access = await this.admission.current(request, null);
    const signedIn = access?.caller.userId ?? null;
    return this.postgres.transaction(async (client) => {
      const userId =
        (await connectedUser(client, account)) ?? (await this.connect(client, account, signedIn, { now, requestId }));
      await lockAccount(client, userId);
      return this.sessions.openIn(client, userId, request);
    });
  }

  private async connect(
    client: ClientBase,
    account: SignOnAccount,
    signedIn: number | null,
    moment: Moment,
  ): Promise<number> {
    await lockConnections(client);
    const meanwhile = await connectedUser(client, account);
    if (meanwhile !== null) return meanwhile;
    const found = await findAccount(client, account.email);
    const existing = found && (await lockAccount(client, found.id));
    return existing ? this.connectTo(client, existing, account, signedIn, moment) : this.make(client, account, moment);
  }

  /**
   * Connects an account with an existing user. The e-mail of a user proves little, because an invitation makes a user with the
   * e-mail that the inviter typed and the password of the person who opened the link. So a user with a password is connected only
   * if this browser is signed in as that user, or if a provider has verified the e-mail before. For a user without a password,
   * all other links and sessions end.
   */
  private async connectTo(
    client: ClientBase,
    user: UserAccount,
    { issuer, subject, email, isEmailVerified }: SignOnAccount,
    signedIn: number | null,
    { now, requestId }: Moment,
  ): Promise<number> {
    if (await hasAccountAt(client, user.id, issuer)) throw new SignOnRefusal('other_account');
    const isProved = user.isEmailVerified || user.passwordHash === null || user.id === signedIn;
    // PostgreSQL's lower() makes more addresses equal than a mail server does.
    if (!isEmailVerified || !isProved || asciiLower(user.email) !== asciiLower(email))
      throw new SignOnRefusal('email_taken');
    const author: Author = { userId: user.id, requestId, now };
    if (user.passwordHash === null) {
      await this.links.dropIn(client, user.id);
      await this.sessions.endAllIn(client, user.id, null, author);
    }
    await setEmailVerified(client, user.id);
    await insertProviderAccount(client, { issuer, subject, userId: user.id, connectedAt: now });
    await recordUser(client, user.id, 'updated', [fieldChange('single_sign_on')], author);
    return user.id;
  }

  private async make(client: ClientBase, account: SignOnAccount, { now, requestId }: Moment): Promise<number> {
    const { issuer, subject, email, isEmailVerified, firstName, lastName } = account;
    const userId = await insertUser(client, { email, firstName, lastName, isEmailVerified }, now);
    const author: Author = { userId, requestId, now };
    await insertProviderAccount(client, { issuer, subject, userId, connectedAt: now });
    await recordUser(client, userId, 'created', [], author);
    const { projectIds = [], role = 'viewer' } = this.config.oidc?.newUsers ?? {};
    const { rows } = await client.query<{ id: number }>(
      pgSql`SELECT id FROM projects WHERE id = ANY (${bound(projectIds)}::integer[]) AND deleted_at IS NULL ORDER BY id`,
    );
    for (const { id } of rows) {
      // A sign-in must not fail because a project has no room for the user.
      if ((await noRoomForMember(client, id)) === null)
        await this.members.join(client, id, userId, role, { ...author, keyId: null });
      else
        this.logger.warn({ project: id, user_id: userId }, 'the quota members of a project has no room for a new user');
    }
    if (rows.length < projectIds.length)
      this.logger.warn({ project_ids: projectIds }, 'OIDC_NEW_USER_PROJECTS names projects that do not exist');
    return userId;
  }
}
