import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../config/config.js';
import { type Caller } from '../access/caller.js';
import { throttled, type Problem } from '../errors/problem.js';
import { Metrics } from '../metrics/metrics.js';
import { clientAddress } from './client-address.js';
import { RateLimiter, rateLimitHeaders, type RateLimitState } from './rate-limiter.js';

/**
 * Limits requests per minute: of a user with all of the user's keys together, so that more keys do not mean more
 * requests; and of a remote address without a valid key or project token.
 */
@Injectable()
export class RequestLimits {
  private readonly ofUsers: RateLimiter | null;
  private readonly ofAddresses: RateLimiter | null;

  constructor(
    config: Config,
    private readonly metrics: Metrics,
  ) {
    this.ofUsers = limiterOf(config.rateLimitPerMinute);
    this.ofAddresses = limiterOf(config.rateLimitUnauthenticatedPerMinute);
  }

  /**
   * Counts a request with a valid key and writes the headers. Returns the problem to answer with when the limit is
   * exceeded.
   */
  countUser({ userId }: Pick<Caller, 'userId'>, response: Response): Problem | null {
    const state = this.ofUsers?.take(String(userId), Date.now());
    if (!state) return null;
    response.set(rateLimitHeaders('user', state));
    return state.exceeded ? this.refusal('user', state) : null;
  }

  /** Counts a request without a valid key or token; throws when its address has sent too many. */
  countUnauthenticated(request: Request): void {
    const state = this.ofAddresses?.take(clientAddress(request), Date.now());
    if (state?.exceeded) throw this.refusal('address', state);
  }

  /**
   * Throws when the address has exhausted its limit. Protects work that costs a look-up before the key or token is known
   * to be valid.
   */
  refuseUsedUp(request: Request): void {
    const state = this.ofAddresses?.usedUpFor(clientAddress(request), Date.now());
    if (state) throw this.refusal('address', state);
  }

  private refusal(limit: 'user' | 'address', { resetSeconds }: RateLimitState): Problem {
    this.metrics.throttled.inc({ limit });
    return throttled(resetSeconds);
  }
}

const limiterOf = (perMinute: number): RateLimiter | null => (perMinute > 0 ? new RateLimiter(perMinute) : null);
