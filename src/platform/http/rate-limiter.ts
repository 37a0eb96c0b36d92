export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Counts requests by name, in this process or in all processes. Only the latter returns promises. */
export interface Limiter {
  /** Counts one request. */
  take(name: string, nowMs: number): RateLimitState | Promise<RateLimitState>;
  /** The state if the window is exhausted, without counting a request; null while requests may be left. */
  usedUpFor(name: string, nowMs: number): RateLimitState | null;
  /** Takes one counted request back, such as a sign-in that succeeded. */
  giveBack(name: string, nowMs: number): void | Promise<void>;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

const minuteMs = 60_000;
/** The most windows of each kind, open or exhausted, that are kept. */
const defaultCapacity = 50_000;

/**
 * Counts in this process only. The first request of a name opens its window, of one minute by default. All windows last equally
 * long, so that a Map, which keeps the order of insertion, has the oldest first. Exhausted windows are stored separately, so that
 * a flood of new names evicts only windows with requests left, and no name gets a new window too early.
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

/** Stores a window. Removes windows that have ended; if there are still too many, the oldest. */
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

/** `policy` is the name of the limit in the headers. */
export const rateLimitHeaders = (policy: string, state: RateLimitState): Record<string, string> => ({
  'RateLimit-Policy': `"${policy}";q=${state.limit};w=${minuteMs / 1000}`,
  RateLimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
});
