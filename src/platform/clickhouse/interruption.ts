import { ClickHouseAway } from './errors.js';
import { type Look, type TakenSoFar } from './look-at-running.js';
import { type PoolLease } from '../work/fair-pool.js';

/** Added to the limit, so that the limit of the engine is reached first. This one is for an engine or network that fails. */
const graceMs = 1_000;
/** The age of a statement at the first look at its use; then it is looked at whenever its age has doubled. Most end before. */
const firstLookedAtMs = 1_000;
/** The part of the limit after which the last look comes: a statement that has ended cannot be looked at. */
const lastLookedAt = 0.9;
const firstLookMs = 400;
const lookAgainMs = 1_000;
const pingMs = 1_000;

interface StatementDeadline {
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

  /** For a statement that did not end within its limit: true if it might have ended with the processors for itself. */
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
      // On a busy machine a look may come too late: then the result of the look before it is kept.
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

/** Most questions end within this time, also while those of another project run. */
const yieldAfterMs = 1_000;

/** The question was stopped in favour of another project, and must be started again. */
export class StatementYielded extends Error {
  constructor(readonly ranMs: number) {
    super('The question gives way to another project');
  }
}

/**
 * Stops a question that runs long while another project is active, because the engine cannot take processors back from a running
 * question. The question waits again, and runs with fewer processors. A question that has used half of its time continues,
 * because the rest would be too short for a second run.
 */
export class Yielding {
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    lease: Pick<PoolLease<unknown>, 'isCrowded' | 'isHeavy' | 'crowding'>,
    private readonly interruption: Interruption,
    private readonly timeoutMs: number,
  ) {
    if (!lease.isCrowded) lease.crowding.addEventListener('abort', () => this.start(), { once: true });
    else if (!lease.isHeavy) this.start();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private ranMs(): number {
    return performance.now() - this.startedAt;
  }

  private start(): void {
    const waitMs = Math.max(0, yieldAfterMs - this.ranMs());
    if (this.ranMs() + waitMs > this.timeoutMs / 2) return;
    this.timer = setTimeout(() => this.interruption.interrupt(new StatementYielded(this.ranMs())), waitMs);
  }
}
