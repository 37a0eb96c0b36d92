import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ClientBase } from 'pg';
import { required, signInFailed } from '../../platform/errors/problem.js';
import { contextOf } from '../../platform/http/request-context.js';
import { refuseOtherOrigin } from '../../platform/http/same-origin.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { OneTimeLinks } from '../links/one-time-links.js';
import { Passwords } from '../passwords/passwords.js';
import { SignInLimits } from '../limits/sign-in-limits.js';
import { findAccount, lockAccount } from '../users/users.repository.js';
import { type SessionDto, type SignInBody } from './session.dto.js';
import { type OpenedSession, SessionsService } from './sessions.service.js';

/** The error for an unknown account, an account without a password, and a wrong password. All have the same words. */
const wrongPassword = () => signInFailed('The e-mail or the password is wrong');
const wrongLink = () => signInFailed('The link is not valid: it was used, or has expired');

/** Opens a session for a password, or for a link that signs in once. */
@Injectable()
export class SignIn {
  constructor(
    private readonly postgres: Postgres,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly links: OneTimeLinks,
    private readonly sessions: SessionsService,
  ) {}

  async signIn(body: SignInBody, request: Request, response: Response): Promise<SessionDto> {
    // Otherwise another site could sign the browser in as another user, and read what is then entered.
    refuseOtherOrigin(request);
    const opened =
      body.link_token === undefined || body.link_token === null
        ? await this.byPassword(demand(body, 'email'), demand(body, 'password'), request)
        : await this.byLink(body.link_token, request);
    return this.sessions.handOver(opened, request, response);
  }

  private async byPassword(email: string, password: string, request: Request): Promise<OpenedSession> {
    const attempt = await this.limits.start(request, email);
    const account = await findAccount(this.postgres, email);
    const isRight = await this.passwords.matches(account?.passwordHash ?? null, password);
    if (!account || !isRight) throw wrongPassword();
    const opened = await this.postgres.transaction(async (client) => {
      await assertSameHash(client, account);
      return this.sessions.openIn(client, account.id, request);
    });
    await attempt.succeeded();
    return opened;
  }

  private async byLink(token: string, request: Request): Promise<OpenedSession> {
    const attempt = await this.limits.start(request, null);
    const opened = await this.postgres.transaction(async (client) => {
      const userId = await this.links.takeIn(client, token, 'sign_in', contextOf(request).now);
      if (userId === null) throw wrongLink();
      return this.sessions.openIn(client, userId, request);
    });
    await attempt.succeeded();
    return opened;
  }
}

/** Throws if a new password was set while the old one was being checked: the new one has ended all sessions. */
const assertSameHash = async (
  client: ClientBase,
  checked: { readonly id: number; readonly passwordHash: string | null },
): Promise<void> => {
  const account = await lockAccount(client, checked.id);
  if (account?.passwordHash !== checked.passwordHash) throw wrongPassword();
};

const demand = (body: SignInBody, name: 'email' | 'password'): string => {
  const value = body[name];
  if (value === undefined || value === null) throw required(name);
  return value;
};
