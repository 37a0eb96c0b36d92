import { Inject, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { firstMissing, type Scope } from '../../common/access/scopes.js';
import {
  authenticationFailed,
  notAuthenticated,
  notFound,
  permissionDenied,
  throttled,
} from '../../common/errors/problem.js';
import { RateLimiter, rateLimitHeaders, type RateLimitState } from '../../common/http/rate-limiter.js';
import { contextOf } from '../../common/http/request-context.js';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Config } from '../../config/config.js';
import { digestOf, isKeyText } from '../keys/key-text.js';
import { KeyLookup, type Admission as Found, type ProjectRef } from './key-lookup.js';

const hourMs = 3_600_000;

/** The one order of checks: 401, 404 for the project, 403, and only then whatever the route itself may object to. */
@Injectable()
export class Admission {
  private readonly limiter: RateLimiter | null;
  private readonly touched = new Map<string, number>();

  constructor(
    private readonly lookup: KeyLookup,
    @Inject(LOGGER) private readonly logger: Logger,
    config: Config,
  ) {
    this.limiter = config.rateLimitPerMinute > 0 ? new RateLimiter(config.rateLimitPerMinute) : null;
  }

  async admit(
    request: Request,
    response: Response,
    projectText: string | null,
    scopes: readonly Scope[],
  ): Promise<void> {
    const context = contextOf(request);
    const found = await this.authenticate(request, projectText);
    context.caller = found.caller;
    context.project = found.project;
    const limit = this.count(found.caller.keyId, response);
    if (projectText !== null && found.project === null) throw notFound();
    const missing = firstMissing(found.caller.scopes, scopes);
    if (missing !== null) {
      throw permissionDenied(`The API key lacks the scope ${missing}`, null, { 'X-Required-Scopes': scopes.join(' ') });
    }
    if (limit?.exceeded) throw throttled(limit.resetSeconds);
  }

  private async authenticate(request: Request, projectText: string | null): Promise<Found> {
    const text = bearerOf(request);
    if (text === null) throw notAuthenticated();
    if (!isKeyText(text)) throw authenticationFailed();
    const ref = refOf(projectText);
    const found = await this.lookup.find(digestOf(text), ref === 'impossible' ? null : ref);
    const { now } = contextOf(request);
    if (!found || (found.caller.expiresAt !== null && found.caller.expiresAt <= now)) throw authenticationFailed();
    this.touch(found);
    return found;
  }

  private count(keyId: string, response: Response): RateLimitState | null {
    const state = this.limiter?.take(keyId, Date.now()) ?? null;
    if (state) response.set(rateLimitHeaders(state));
    return state;
  }

  /** `last_used_at` is a hint, kept to the hour; no request waits for it or fails with it. */
  private touch({ caller: { keyId }, lastUsedAt }: Found): void {
    const now = Date.now();
    const known = Math.max(lastUsedAt?.getTime() ?? 0, this.touched.get(keyId) ?? 0);
    if (now - known < hourMs) return;
    this.touched.set(keyId, now);
    this.lookup.touch(keyId, new Date(now), new Date(now - hourMs)).catch((error: unknown) => {
      this.touched.delete(keyId);
      this.logger.warn({ key_id: keyId, err: error }, 'last_used_at could not be written');
    });
  }
}

const bearerOf = (request: Request): string | null => {
  const [, text] = /^Bearer +([^ ].*)$/i.exec(request.get('authorization') ?? '') ?? [];
  return text?.trim() || null;
};

const refOf = (text: string | null): ProjectRef | 'impossible' => {
  if (text === null || text === '@current') return text;
  const id = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return id <= 2 ** 31 - 1 ? id : 'impossible';
};
