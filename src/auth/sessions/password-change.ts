import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ActivityAuthor } from '../../kernel/activity/record-activity.js';
import { OneTimeLinks } from '../links/one-time-links.js';
import { setPassword } from '../users/users.repository.js';
import { fieldChange, recordUser } from '../users/user-activity.js';
import { SessionsService } from './sessions.service.js';

/** Sets a new password, and ends what the old one has opened: the links and the sessions of the user. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Works in the transaction of the caller. `exceptSessionId` is the session in which the user changes the password; it is kept.
   */
  async apply(
    client: ClientBase,
    userId: number,
    hash: string,
    exceptSessionId: string | null,
    author: ActivityAuthor,
  ): Promise<void> {
    await setPassword(client, userId, hash);
    await this.links.dropIn(client, userId);
    await this.sessions.endAllIn(client, userId, exceptSessionId, author);
    await recordUser(client, userId, 'updated', [fieldChange('password')], author);
  }
}
