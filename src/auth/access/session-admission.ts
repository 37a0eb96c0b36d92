import { Inject, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { BoundedMap } from '../../platform/values/bounded-map.js';
import { Problem, sessionEnded } from '../../platform/errors/problem.js';
import { contextOf } from '../../platform/http/request-context.js';
import { RequestLimits } from '../limits/request-limits.js';
import { assertSameOrigin } from '../../platform/http/same-origin.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { digestOfSecret, isSecret } from '../../platform/values/secret-token.js';
import { Config } from '../../platform/config/config.js';
import { sessionTokenOf, setSessionCookie } from '../sessions/session-cookie.js';
import { sessionMs } from '../sessions/sessions.service.js';
import { type ProjectRef } from './key-lookup.js';
import { type SessionAccess, SessionLookup } from './session-lookup.js';

const hourMs = 3_600_000;
const maxRemembered = 10_000;

/** Finds the session of the cookie in a request. */
@Injectable()
export class SessionAdmission {
  /**
   * Digests of sessions that were valid at their last look-up. These sessions are looked up even if their address has used up its
   * limit.
   */
  private readonly known = new BoundedMap<string, true>(maxRemembered);

  constructor(
    private readonly config: Config,
    private readonly lookup: SessionLookup,
    private readonly limits: RequestLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns null without a cookie, and when the console, and so signing in, is switched off. */
  tokenOf(request: Request): string | null {
    return this.config.console ? sessionTokenOf(request) : null;
  }

  /**
   * Returns the valid session. `writes` is true for a request that changes something: a browser may send it from pages of this
   * service only.
   */
  async authenticate(
    request: Request,
    response: Response,
    token: string,
    ref: ProjectRef,
    writes: boolean,
  ): Promise<SessionAccess> {
    try {
      if (writes) assertSameOrigin(request);
      return await this.valid(request, response, token, ref);
    } catch (error) {
      if (error instanceof Problem && error.status < 429) await this.limits.countUnauthenticated(request);
      throw error;
    }
  }

  /** Returns the session as it is now, without counting a request; null when it has ended. */
  async current(request: Request, ref: ProjectRef): Promise<SessionAccess | null> {
    const token = this.tokenOf(request);
    if (token === null || !isSecret(token)) return null;
    const access = await this.lookup.find(digestOfSecret(token), ref);
    return access && access.expiresAt > new Date() ? access : null;
  }

  private async valid(request: Request, response: Response, token: string, ref: ProjectRef): Promise<SessionAccess> {
    if (!isSecret(token)) throw sessionEnded();
    const digest = digestOfSecret(token);
    const name = digest.toString('base64');
    if (!this.known.has(name)) this.limits.refuseUsedUp(request);
    const access = await this.lookup.find(digest, ref);
    const { now } = contextOf(request);
    if (!access || access.expiresAt <= now) {
      this.known.delete(name);
      throw sessionEnded();
    }
    this.known.set(name, true);
    if (now.getTime() - access.lastSeenAt.getTime() >= hourMs) this.keepAlive(request, response, token, access);
    return access;
  }

  /** Prolongs the session and its cookie with each request. No request waits for the update or fails with it. */
  private keepAlive(request: Request, response: Response, token: string, { caller }: SessionAccess): void {
    const { now } = contextOf(request);
    setSessionCookie(request, response, token, sessionMs);
    const [expiresAt, ifBefore] = [new Date(now.getTime() + sessionMs), new Date(now.getTime() - hourMs / 2)];
    this.lookup.touch(caller.sessionId, now, expiresAt, ifBefore).catch((error: unknown) => {
      this.logger.warn({ session_id: caller.sessionId, err: error }, 'last_seen_at could not be written');
    });
  }
}
