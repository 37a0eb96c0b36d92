import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../platform/config/config.js';
import { type Caller } from '../../kernel/access/caller.js';
import { throttled, type Problem } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { type Limiter, rateLimitHeaders, type RateLimitState } from '../../platform/http/rate-limiter.js';
import { Limiters, nameOfAddress } from './limiters.js';

/**
 * Limits the requests per minute of a user, with all of the user's keys together, so that more keys do not allow more requests;
 * and of a remote address that sends no valid key or project token.
 */
@Injectable()
export class RequestLimits {
  private readonly ofUsers: Limiter | null;
  private readonly ofAddresses: Limiter | null;

  constructor(
    config: Config,
    limiters: Limiters,
    private readonly metrics: Metrics,
  ) {
    this.ofUsers = limiters.perMinute('user', config.rateLimitPerMinute);
    this.ofAddresses = limiters.perMinute('address', config.rateLimitUnauthenticatedPerMinute);
  }

  /**
   * Counts a request with a valid key and writes the headers. Returns the problem to answer with if the limit is exceeded;
   * otherwise null.
   */
  async countUser({ userId }: Pick<Caller, 'userId'>, response: Response): Promise<Problem | null> {
    const state = await this.ofUsers?.take(String(userId), Date.now());
    if (!state) return null;
    response.set(rateLimitHeaders('user', state));
    return state.exceeded ? this.refusal('user', state) : null;
  }

  /** Counts a request without a valid key or token. Throws when its address has sent too many. */
  async countUnauthenticated(request: Request): Promise<void> {
    const state = await this.ofAddresses?.take(nameOfAddress(request), Date.now());
    if (state?.exceeded) throw this.refusal('address', state);
  }

  /**
   * Throws when the address has used up its limit. Protects look-ups that are made before the key or token is known to be valid.
   */
  refuseUsedUp(request: Request): void {
    const state = this.ofAddresses?.usedUpFor(nameOfAddress(request), Date.now());
    if (state) throw this.refusal('address', state);
  }

  private refusal(limit: 'user' | 'address', { resetSeconds }: RateLimitState): Problem {
    this.metrics.throttled.inc({ limit });
    return throttled(resetSeconds);
  }
}
