import { BoundedMap } from '../../platform/values/bounded-map.js';
import { type Limiter, type RateLimitState } from '../../platform/http/rate-limiter.js';
import { type Allotment, type SharedLimit } from './rate-windows.js';

const capacity = 50_000;

interface Share {
  /** The number of requests that this process may still admit. */
  remaining: number;
  used: number;
  readonly endsAt: number;
}

/** Stores the allotments of all processes. */
export interface Allotments {
  allot(name: string, limit: SharedLimit): Promise<Allotment>;
  giveBack(name: string, limit: SharedLimit): Promise<void>;
}

/**
 * A limit that all processes share. A process takes some requests of a name at a time, so it waits for the store once for all
 * of them, and no more than the limit pass. What a process has taken and does not use is lost until the window ends.
 */
export class SharedLimiter implements Limiter {
  private readonly shares = new BoundedMap<string, Share>(capacity);
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly allotments: Allotments,
    private readonly limit: SharedLimit,
  ) {}

  async take(name: string, nowMs: number): Promise<RateLimitState> {
    const startedAt = performance.now();
    for (;;) {
      const now = nowMs + (performance.now() - startedAt);
      const share = this.shareOf(name, now);
      if (share && share.remaining > 0) {
        share.remaining -= 1;
        return this.state(share, now, false);
      }
      if (share && share.used >= this.limit.limit) return this.state(share, now, true);
      await this.refill(name, now);
    }
  }

  usedUpFor(name: string, nowMs: number): RateLimitState | null {
    const share = this.shareOf(name, nowMs);
    return share && share.remaining === 0 && share.used >= this.limit.limit ? this.state(share, nowMs, false) : null;
  }

  async giveBack(name: string): Promise<void> {
    this.shares.delete(name);
    await this.allotments.giveBack(name, this.limit);
  }

  private shareOf(name: string, nowMs: number): Share | null {
    const share = this.shares.get(name);
    return share && share.endsAt > nowMs ? share : null;
  }

  /** Takes an allotment. Requests that arrive meanwhile wait for the same allotment. */
  private refill(name: string, nowMs: number): Promise<void> {
    const waiting = this.underWay.get(name);
    if (waiting) return waiting;
    const work = this.allot(name, nowMs).finally(() => this.underWay.delete(name));
    this.underWay.set(name, work);
    return work;
  }

  private async allot(name: string, nowMs: number): Promise<void> {
    const { granted, used, endsInMs } = await this.allotments.allot(name, this.limit);
    this.shares.set(name, { remaining: granted, used, endsAt: nowMs + endsInMs });
  }

  private state({ remaining, used, endsAt }: Share, nowMs: number, exceeded: boolean): RateLimitState {
    const { limit } = this.limit;
    return {
      limit,
      remaining: Math.max(0, limit - used + remaining),
      resetSeconds: Math.max(1, Math.ceil((endsAt - nowMs) / 1000)),
      exceeded,
    };
  }
}
