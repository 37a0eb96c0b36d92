import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { type SessionCaller } from '../../kernel/access/caller.js';
import { type Author } from '../../kernel/access/author.js';
import { conflict, invalidInput, permissionDenied, required, sessionEnded } from '../../platform/errors/problem.js';
import { contextOf } from '../../platform/http/request-context.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { Passwords } from '../passwords/passwords.js';
import { SignInLimits } from '../limits/sign-in-limits.js';
import { PasswordChange } from '../sessions/password-change.js';
import { openingOf } from '../sessions/sessions.repository.js';
import { type UserAccount, lockAccount, updateUser } from '../users/users.repository.js';
import { fieldChange, recordUser } from '../users/user-activity.js';
import { type MeDto } from '../users/me.dto.js';
import { UsersService } from '../users/users.service.js';
import { type UpdateMeBody } from './account.dto.js';

/** Lets signed-in users change their own accounts. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly postgres: Postgres,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly change: PasswordChange,
  ) {}

  async update(caller: SessionCaller, body: UpdateMeBody, author: Author, request: Request): Promise<MeDto> {
    const before = await this.users.me(caller);
    assertUnchanged(body, before);
    const account = await this.postgres.transaction((client) => lockAccount(client, caller.userId));
    if (!account) throw sessionEnded();
    const hash = await this.newHash(account, caller, body, request);
    await this.postgres.transaction(async (client) => {
      const locked = await lockAccount(client, account.id);
      if (locked?.passwordHash !== account.passwordHash)
        throw conflict('The password has changed meanwhile: try again', 'password');
      const changes = [
        ...((body.first_name ?? locked.firstName) === locked.firstName ? [] : [fieldChange('first_name')]),
        ...((body.last_name ?? locked.lastName) === locked.lastName ? [] : [fieldChange('last_name')]),
      ];
      await updateUser(client, account.id, {
        firstName: body.first_name ?? undefined,
        lastName: body.last_name ?? undefined,
      });
      await recordUser(client, account.id, 'updated', changes, author);
      if (hash !== null) await this.change.apply(client, account.id, hash, caller.sessionId, author);
    });
    return this.users.me(caller);
  }

  /**
   * Returns the hash of a new password; null when the password stays. The present password is required, so that a stolen session
   * is not enough to take over the account.
   */
  private async newHash(
    account: UserAccount,
    caller: SessionCaller,
    body: UpdateMeBody,
    request: Request,
  ): Promise<string | null> {
    const { password = null, current_password: current = null } = body;
    if (password === null) return null;
    if (account.passwordHash === null) {
      await this.assertRecentSignIn(caller, contextOf(request).now);
      return this.passwords.hash(password);
    }
    if (current === null) throw required('current_password');
    const attempt = await this.limits.start(request, account.email);
    if (!(await this.passwords.matches(account.passwordHash, current)))
      throw invalidInput('current_password is not your password', 'current_password');
    await attempt.succeeded();
    return this.passwords.hash(password);
  }

  /** Requires a recent sign-in, by a link or by single sign-on. It replaces the proof by a password, for users without one. */
  private async assertRecentSignIn({ sessionId }: SessionCaller, now: Date): Promise<void> {
    const openedAt = await openingOf(this.postgres, sessionId);
    if (openedAt && now.getTime() - openedAt.getTime() <= recentMinutes * 60_000) return;
    throw permissionDenied(
      `A first password is set within ${recentMinutes} minutes of signing in: sign in again, or use a link for a password`,
      'password',
    );
  }
}

const recentMinutes = 10;
