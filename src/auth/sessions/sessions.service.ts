import { type ClientBase } from 'pg';
import { type ActivityAuthor, recordActivities } from '../../kernel/activity/record-activity.js';
import { type SessionRow, deleteExpired, deleteSessions, insertSession, sessionsOf } from './sessions.repository.js';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { uuidv7 } from 'uuidv7';
import { type SessionCaller } from '../../kernel/access/caller.js';
import { Workers } from '../../platform/work/workers.js';
import { type Author } from '../../kernel/access/author.js';
import { notFound } from '../../platform/errors/problem.js';
import { shortAddress } from '../../platform/http/client-address.js';
import { contextOf } from '../../platform/http/request-context.js';
import { isUuid } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { digestOfSecret, isSecret, newSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { sessionTokenOf, setSessionCookie } from './session-cookie.js';
import { type SessionDto, toSessionDto } from './session.dto.js';
import { type Session } from './session.entity.js';

/** Records opened or ended sessions, without their tokens and addresses. */
const recordSessions = (
  client: ClientBase,
  activity: 'opened' | 'ended',
  sessions: readonly Pick<SessionRow, 'id' | 'userId'>[],
  author: ActivityAuthor,
): Promise<void> => {
  const [first] = sessions;
  if (!first) return Promise.resolve();
  const action = activity === 'opened' ? ('created' as const) : ('deleted' as const);
  return recordActivities(
    client,
    { accountOf: first.userId },
    sessions.map(({ id }) => ({
      scope: 'Session' as const,
      itemId: id,
      activity,
      name: null,
      changes: [{ type: 'Session' as const, action, field: null, before: null, after: null }],
    })),
    author,
  );
};

/** A session ends this long after its last request. */
export const sessionMs = 14 * 86_400_000;

const maxUserAgent = 300;

/** A session that is stored but whose cookie is not set yet. */
export interface OpenedSession {
  readonly token: string;
  readonly session: SessionDto;
}

@Injectable()
export class SessionsService {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(3_600_000, {
      name: 'sessions',
      warning: 'expired sessions could not be removed and are removed later',
      run: () => deleteExpired(postgres, new Date()),
    });
  }

  /** Opens a session for a user who has proved who they are, and sets its cookie. */
  async open(user: { readonly id: number }, request: Request, response: Response): Promise<SessionDto> {
    const opened = await this.postgres.transaction((client) => this.openIn(client, user.id, request));
    return this.handOver(opened, request, response);
  }

  /**
   * Stores the session, in a transaction of the caller. `handOver` must be called after its commit, unless the session belongs
   * to a credential of its own, which has the secret and the end.
   */
  async openIn(
    client: ClientBase,
    userId: number,
    request: Request,
    own?: { readonly token: string; readonly expiresAt: Date },
  ): Promise<OpenedSession> {
    const { now, requestId } = contextOf(request);
    const author: ActivityAuthor = { userId, requestId, now };
    await this.endSessionOf(client, request, author);
    const token = own?.token ?? newSecret();
    const session: Session = {
      ...{ id: uuidv7(), userId, digest: digestOfSecret(token), address: shortAddress(request) },
      userAgent: (request.get('user-agent') ?? '').slice(0, maxUserAgent),
      ...{ createdAt: now, lastSeenAt: now, expiresAt: own?.expiresAt ?? new Date(now.getTime() + sessionMs) },
    };
    await insertSession(client, session);
    await recordSessions(client, 'opened', [session], author);
    return { token, session: toSessionDto(session, session.id) };
  }

  handOver({ token, session }: OpenedSession, request: Request, response: Response): SessionDto {
    setSessionCookie(request, response, token, sessionMs);
    return session;
  }

  async list(userId: number, currentId: string | null, now: Date, page: PageQuery): Promise<Slice<SessionDto>> {
    const { count, results } = await sessionsOf(this.postgres, userId, now, page);
    return { count, results: results.map((session) => toSessionDto(session, currentId)) };
  }

  async end({ userId }: Pick<SessionCaller, 'userId'>, id: string, author: Author): Promise<void> {
    const ended = isUuid(id)
      ? await this.postgres.transaction((client) =>
          this.delete(client, pgSql`user_id = ${bound(userId)} AND id = ${bound(id)}`, author),
        )
      : 0;
    if (ended === 0) throw notFound(`there is no session ${id}`);
  }

  endAll(userId: number, author: ActivityAuthor): Promise<void> {
    return this.postgres.transaction((client) => this.endAllIn(client, userId, null, author));
  }

  /** Ends the sessions of a user except `exceptId`. */
  async endAllIn(client: ClientBase, userId: number, exceptId: string | null, author: ActivityAuthor): Promise<void> {
    const others = pgSql`user_id = ${bound(userId)} AND id IS DISTINCT FROM ${bound(exceptId)}::uuid`;
    await this.delete(client, others, author);
  }

  /** Ends the present session of a browser that signs in again: left open, it could be stolen without the user noticing. */
  private async endSessionOf(client: ClientBase, request: Request, author: ActivityAuthor): Promise<void> {
    const token = sessionTokenOf(request);
    if (token === null || !isSecret(token)) return;
    await this.delete(client, pgSql`digest = ${bound(digestOfSecret(token))}`, author);
  }

  private async delete(client: ClientBase, which: PgSql, author: ActivityAuthor): Promise<number> {
    const ended = await deleteSessions(client, which, author.now);
    await recordSessions(client, 'ended', ended, author);
    return ended.length;
  }
}
