import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { throttled } from '../../platform/errors/problem.js';
import { type Limiter } from '../../platform/http/rate-limiter.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { hashedName, Limiters, nameOfAddress } from './limiters.js';

const windowMs = 15 * 60_000;
const addressesPerAccount = 10;

/** An attempt, counted as a failure until it succeeds, so that many simultaneous attempts cannot pass the limit together. */
export interface SignInAttempt {
  succeeded(): Promise<void>;
}

/** Limits the failed sign-ins of an account, existing or not, and of a remote address. */
@Injectable()
export class SignInLimits {
  private readonly ofAccounts: Limiter | null;
  private readonly ofAddresses: Limiter | null;

  constructor(
    { signInAttempts }: Config,
    limiters: Limiters,
    private readonly metrics: Metrics,
  ) {
    this.ofAccounts = limiters.ofAttempts('sign-in of an account', signInAttempts, windowMs);
    this.ofAddresses = limiters.ofAttempts('sign-in from an address', signInAttempts * addressesPerAccount, windowMs);
  }

  /** Counts an attempt. Throws when too many have failed. `account` is null for a link, which names no account. */
  async start(request: Request, account: string | null): Promise<SignInAttempt> {
    const now = Date.now();
    const counted: [Limiter | null, string][] = [
      [this.ofAddresses, nameOfAddress(request)],
      [account === null ? null : this.ofAccounts, account === null ? '' : hashedName(account.toLowerCase())],
    ];
    for (const [limiter, name] of counted) {
      const state = await limiter?.take(name, now);
      if (!state?.exceeded) continue;
      this.metrics.throttled.inc({ limit: 'sign-in' });
      throw throttled(state.resetSeconds, `Too many failed sign-ins: try again in ${state.resetSeconds} s`);
    }
    return {
      succeeded: async () => {
        for (const [limiter, name] of counted) await limiter?.giveBack(name, Date.now());
      },
    };
  }
}
