export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

const windowMs = 60_000;
const prunedAbove = 10_000;

/** A window of one minute per key, opened by its first request. Counts in this process only. */
export class RateLimiter {
  private readonly windows = new Map<string, { used: number; endsAt: number }>();

  constructor(private readonly limit: number) {}

  take(key: string, nowMs: number): RateLimitState {
    const open = this.windows.get(key);
    const window = open && open.endsAt > nowMs ? open : this.openWindow(key, nowMs);
    window.used += 1;
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.used),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - nowMs) / 1000)),
      exceeded: window.used > this.limit,
    };
  }

  private openWindow(key: string, nowMs: number): { used: number; endsAt: number } {
    if (this.windows.size >= prunedAbove) {
      for (const [other, { endsAt }] of this.windows) if (endsAt <= nowMs) this.windows.delete(other);
    }
    const window = { used: 0, endsAt: nowMs + windowMs };
    this.windows.set(key, window);
    return window;
  }
}

export const rateLimitHeaders = (state: RateLimitState): Record<string, string> => ({
  'RateLimit-Policy': `"key";q=${state.limit};w=${windowMs / 1000}`,
  RateLimit: `"key";r=${state.remaining};t=${state.resetSeconds}`,
});
