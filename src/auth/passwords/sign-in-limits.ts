import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Request } from 'express';
import { throttled } from '../../common/errors/problem.js';
import { clientAddress } from '../../common/http/client-address.js';
import { RateLimiter } from '../../common/http/rate-limiter.js';
import { Metrics } from '../../common/metrics/metrics.js';
import { Config } from '../../config/config.js';

const windowMs = 15 * 60_000;
const capacity = 50_000;
const addressesPerAccount = 10;

/** An attempt that is counted as a failure until it succeeds: then many attempts at once cannot pass the limit together. */
export interface SignInAttempt {
  succeeded(): void;
}

/** Limits failed sign-ins: of an account, whether it exists or not, and of a remote address. */
@Injectable()
export class SignInLimits {
  private readonly ofAccounts: RateLimiter | null;
  private readonly ofAddresses: RateLimiter | null;

  constructor(
    { signInAttempts }: Config,
    private readonly metrics: Metrics,
  ) {
    const limiter = (limit: number) => (limit > 0 ? new RateLimiter(limit, capacity, windowMs) : null);
    this.ofAccounts = limiter(signInAttempts);
    this.ofAddresses = limiter(signInAttempts * addressesPerAccount);
  }

  /** `account` is null for a link, which names none. Throws when too many attempts have failed. */
  begin(request: Request, account: string | null): SignInAttempt {
    const now = Date.now();
    const counted: [RateLimiter | null, string][] = [
      [this.ofAddresses, clientAddress(request)],
      [account === null ? null : this.ofAccounts, account === null ? '' : nameOf(account)],
    ];
    for (const [limiter, name] of counted) {
      const state = limiter?.take(name, now);
      if (!state?.exceeded) continue;
      this.metrics.throttled.inc({ limit: 'sign-in' });
      throw throttled(state.resetSeconds, `Too many failed sign-ins: try again in ${state.resetSeconds} s`);
    }
    return { succeeded: () => counted.forEach(([limiter, name]) => limiter?.giveBack(name, Date.now())) };
  }
}

/** E-mail addresses of any length take little memory, and none is kept. */
const nameOf = (account: string): string =>
  createHash('sha256').update(account.toLowerCase()).digest('base64url').slice(0, 22);
