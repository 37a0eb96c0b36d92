import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Request } from 'express';
import { clientAddress } from '../../platform/http/client-address.js';
import { type Limiter, RateLimiter } from '../../platform/http/rate-limiter.js';
import { Config } from '../../platform/config/config.js';
import { RateWindows } from './rate-windows.js';
import { SharedLimiter } from './shared-limiter.js';

const minuteMs = 60_000;
const capacity = 50_000;
/** A process takes this part of a limit at a time. What it takes and does not use is lost for the others. */
const partsOfLimit = 50;

/** Makes limiters for this process or, with `RATE_LIMIT_SHARED`, for all processes together; null for a limit of 0. */
@Injectable()
export class Limiters {
  constructor(
    private readonly config: Config,
    private readonly windows: RateWindows,
  ) {}

  perMinute(policy: string, limit: number): Limiter | null {
    return this.limiter(policy, limit, minuteMs, Math.max(1, Math.floor(limit / partsOfLimit)));
  }

  /** Makes a limiter for few attempts, each of which is counted in the store. */
  ofAttempts(policy: string, limit: number, windowMs: number): Limiter | null {
    return this.limiter(policy, limit, windowMs, 1);
  }

  private limiter(policy: string, limit: number, windowMs: number, allotment: number): Limiter | null {
    if (limit === 0) return null;
    return this.config.rateLimitShared
      ? new SharedLimiter(this.windows, { policy, limit, windowMs, allotment })
      : new RateLimiter(limit, capacity, windowMs);
  }
}

/** Hashes a name, so that names of any length take little memory, and no name is kept. */
export const hashedName = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

export const nameOfAddress = (request: Request): string => hashedName(clientAddress(request));
