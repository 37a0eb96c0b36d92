export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Counts requests by name, in this process or in all. Only the second kind makes its callers wait. */
export interface Limiter {
  /** Counts one request. */
  take(name: string, nowMs: number): RateLimitState | Promise<RateLimitState>;
  /** The state before the next request when the window is exhausted; null while requests are left, or may be. */
  usedUpFor(name: string, nowMs: number): RateLimitState | null;
  /** Takes one counted request back, such as a sign-in that succeeded. */
  giveBack(name: string, nowMs: number): void | Promise<void>;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

const minuteMs = 60_000;
/** Applies to each of the two kinds of window. */
const defaultCapacity = 50_000;

/**
 * Opens a window, of one minute by default, per name with its first request. Counts in this process only. All windows last
 * equally long, so a Map, which keeps the order of insertion, has the oldest first. Exhausted windows are stored separately: a
 * flood of new names evicts windows with requests left, and a name that has exhausted its window does not get a new one.
 */
export class RateLimiter implements Limiter {
  private readonly open = new Map<string, Window>();
  private readonly usedUp = new Map<string, Window>();

  constructor(
    private readonly limit: number,
    private readonly capacity = defaultCapacity,
    private readonly windowMs = minuteMs,
  ) {}

  take(name: string, nowMs: number): RateLimitState {
    const window = this.at(name, nowMs) ?? this.start(name, nowMs);
    window.used += 1;
    if (window.used === this.limit) {
      this.open.delete(name);
      remember(this.usedUp, name, window, nowMs, this.capacity);
    }
    return this.state(window, nowMs);
  }

  usedUpFor(name: string, nowMs: number): RateLimitState | null {
    const window = this.usedUp.get(name);
    return window && window.endsAt > nowMs ? this.state(window, nowMs) : null;
  }

  giveBack(name: string, nowMs: number): void {
    const window = this.at(name, nowMs);
    if (!window) return;
    window.used -= 1;
    if (window.used >= this.limit || !this.usedUp.delete(name)) return;
    remember(this.open, name, window, nowMs, this.capacity);
  }

  get size(): number {
    return this.open.size + this.usedUp.size;
  }

  private at(name: string, nowMs: number): Window | null {
    const window = this.usedUp.get(name) ?? this.open.get(name);
    return window && window.endsAt > nowMs ? window : null;
  }

  private start(name: string, nowMs: number): Window {
    const window = { used: 0, endsAt: nowMs + this.windowMs };
    this.usedUp.delete(name);
    remember(this.open, name, window, nowMs, this.capacity);
    return window;
  }

  private state({ used, endsAt }: Window, nowMs: number): RateLimitState {
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - used),
      resetSeconds: Math.max(1, Math.ceil((endsAt - nowMs) / 1000)),
      exceeded: used > this.limit,
    };
  }
}

/** Evicts windows that have ended first; without any, the oldest. */
const remember = (
  windows: Map<string, Window>,
  name: string,
  window: Window,
  nowMs: number,
  capacity: number,
): void => {
  windows.delete(name);
  for (const [other, { endsAt }] of windows) {
    if (endsAt > nowMs && windows.size < capacity) break;
    windows.delete(other);
  }
  windows.set(name, window);
};

/** `policy` describes what is counted. */
export const rateLimitHeaders = (policy: string, state: RateLimitState): Record<string, string> => ({
  'RateLimit-Policy': `"${policy}";q=${state.limit};w=${minuteMs / 1000}`,
  RateLimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
});
