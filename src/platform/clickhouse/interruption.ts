import { ClickHouseAway } from './errors.js';
import { type Look, type TakenSoFar } from './look-at-running.js';

/** The engine's own limit is reached first; this one protects against an engine or a network that does not keep it. */
const graceMs = 1_000;
/** When a statement is looked at for the first time, and then each time that its age has doubled: most end before. */
const firstLookedAtMs = 1_000;
/** So much of the limit has passed at the last look: a statement that has ended cannot be looked at. */
const lastLookedAt = 0.9;
const firstLookMs = 400;
const lookAgainMs = 1_000;
const pingMs = 1_000;

export interface StatementDeadline {
  timeoutMs: number;
  /** Creates the error for a statement that did not end in time. */
  late: () => Error;
  signal?: AbortSignal;
  /** Checks whether an answer may still come. */
  isUp: (timeoutMs: number) => Promise<boolean>;
  /** Reads the use by the statement, and whether others keep the processors from it. */
  lookAt: () => Promise<Look>;
  /** Is called when the server does not respond, before the wait ends. */
  onUnreachable: (reason: () => Error) => void;
}

const unreachable = () => new ClickHouseAway('ClickHouse became unreachable during a statement');

/**
 * Ends the wait for a statement early when its caller leaves, its deadline passes, the server becomes unreachable or the
 * service stops.
 */
export class Interruption {
  private readonly controller = new AbortController();
  private readonly deadline: NodeJS.Timeout;
  private runningLook: NodeJS.Timeout | undefined;
  private isStarved = Promise.resolve(false);
  private lastTaken: TakenSoFar | null = null;
  private look: NodeJS.Timeout | undefined;
  private over = false;

  constructor(private readonly bounds: StatementDeadline) {
    this.deadline = setTimeout(() => this.interrupt(bounds.late()), bounds.timeoutMs + graceMs);
    this.lookAtRunning(0, firstLookedAtMs);
    bounds.signal?.addEventListener('abort', this.onAbort, { once: true });
    this.lookAfter(firstLookMs);
  }

  /** Aborted when the work should stop. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Of a statement that did not end within its limit: whether it might have, with the processors for itself. */
  get wasStarved(): Promise<boolean> {
    return this.isStarved;
  }

  /** The use at the last look; null for a statement that was not looked at. */
  get taken(): TakenSoFar | null {
    return this.lastTaken;
  }

  interrupt(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Returns the outcome of the work, or throws the reason for which the wait has ended. */
  async race<T>(work: Promise<T>): Promise<T> {
    const interrupted = new Promise<never>((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
    });
    try {
      return await Promise.race([work, interrupted]);
    } finally {
      this.over = true;
      clearTimeout(this.deadline);
      clearTimeout(this.look);
      clearTimeout(this.runningLook);
      this.bounds.signal?.removeEventListener('abort', this.onAbort);
    }
  }

  private readonly onAbort = () => this.interrupt(this.bounds.signal?.reason as Error);

  private lookAtRunning(lastMs: number, atMs: number): void {
    const nextMs = Math.min(atMs, this.bounds.timeoutMs * lastLookedAt);
    if (nextMs <= lastMs) return;
    this.runningLook = setTimeout(() => {
      // A look may come too late on a machine that is busy, and the one before then still holds.
      this.isStarved = Promise.all([this.bounds.lookAt(), this.isStarved]).then(([{ starves, taken }, starved]) => {
        this.lastTaken = taken ?? this.lastTaken;
        return starves || (taken === null && starved);
      });
      this.lookAtRunning(nextMs, nextMs * 2);
    }, nextMs - lastMs);
  }

  private lookAfter(ms: number): void {
    this.look = setTimeout(() => {
      void this.bounds.isUp(pingMs).then((isUp) => {
        if (this.over) return;
        if (isUp) return this.lookAfter(lookAgainMs);
        this.bounds.onUnreachable(unreachable);
        this.interrupt(unreachable());
      });
    }, ms);
  }
}
