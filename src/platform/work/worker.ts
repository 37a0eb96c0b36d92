import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../telemetry/logger.js';
import { startCountedRun, type BackgroundTask } from '../telemetry/background-runs.js';
import { countUnexpectedError } from '../telemetry/unexpected-errors.js';
import { commits } from './commits.js';
import { Signal } from './signal.js';
import { within } from '../time/within.js';
import { WorkEnded } from '../errors/work-ended.js';

export interface RepeatedWork {
  /** The name in log lines, by which commands also start only some workers. */
  readonly name: string;
  /** The message about a failed round, which is tried again. */
  readonly warning: string;
  /**
   * Does one round. Returns the milliseconds until the next round, unless the worker is woken earlier; null if it has found
   * nothing to do, so that the next round is after `pollMs`.
   */
  readonly round: () => Promise<number | null>;
  /** The pause after a round that has found nothing to do. */
  readonly pollMs?: number;
  /** Each round is counted as a run of this task. Leave it out for rounds that look for work and count what they find. */
  readonly task?: BackgroundTask;
  /** The pause before the first round. */
  readonly firstMs?: number;
  /** The pause after a failure. It doubles with each further failure, up to the longest. `wake` does not end it. */
  readonly retryMs?: readonly [first: number, longest: number];
  /** The signal that wakes the worker, if other objects also notify it. */
  readonly signal?: Signal;
  readonly onFailure?: (error: unknown) => void;
  /** Runs after the last round, within the time that the worker has to stop. */
  readonly end?: () => Promise<unknown>;
}

const usualRetryMs = [1_000, 1_000] as const;
const usualPollMs = 1_000;
/** A worker that is woken by each commit also looks this often: for what commands have committed, and for times that have come. */
const quietMs = 10_000;
const warnAgainMs = 30_000;
const stopMs = 3_000;

/** Does a named piece of work in rounds for as long as the process runs. */
export class Worker {
  private readonly ending = new AbortController();
  private readonly signal: Signal;
  private running: Promise<void> | null = null;
  private failures = 0;
  private warnedAt = -Infinity;
  private hasFailedPart = false;
  private seesAllCommits = false;
  private afterOthersMs = 0;

  constructor(
    private readonly work: RepeatedWork,
    private readonly logger: Logger,
  ) {
    this.signal = work.signal ?? new Signal();
    // Work on many things at the same time adds many listeners, which is no leak.
    setMaxListeners(0, this.ending.signal);
  }

  get name(): string {
    return this.work.name;
  }

  /** Aborted when the process stops. Long rounds must check this signal between steps, and pass it on. */
  get stopping(): AbortSignal {
    return this.ending.signal;
  }

  get isRunning(): boolean {
    return this.running !== null && !this.stopping.aborted;
  }

  /**
   * With `seesAllCommits`, no other process makes work: a worker that has found nothing to do waits for the next commit of this
   * process, and PostgreSQL rests. With `afterOthersMs` it looks so much later, so that workers that wait for the same commit
   * share a few connections.
   */
  start({ seesAllCommits = false, afterOthersMs = 0 } = {}): void {
    this.seesAllCommits = seesAllCommits;
    this.afterOthersMs = afterOthersMs;
    this.running ??= this.run();
  }

  /** Starts the next round at once. This only saves time, because each round finds its work by itself. */
  wake(): void {
    this.signal.notify();
  }

  /** Waits a short time for the current round to end. The next process continues its work. */
  async stop(): Promise<void> {
    const { running, work, logger } = this;
    this.ending.abort(new WorkEnded('The process is stopping'));
    this.signal.notify();
    if (!running) return;
    const ended = running.then(() => work.end?.());
    await within(
      stopMs,
      ended.catch((error: unknown) => logger.warn({ err: error }, work.warning)),
    );
  }

  /** Reports that one part of a round has failed, so that the round can continue with the other parts. */
  partFailed(error: unknown, about: object): void {
    this.hasFailedPart = true;
    this.logger.warn({ err: error, ...about }, this.work.warning);
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { signal, stopping, work } = this;
    await signal.waitForNext(work.firstMs ?? 0, signal.count);
    while (!stopping.aborted) {
      const [since, sinceCommit] = [signal.count, commits.count];
      const pauseMs = await this.round().catch((error: unknown) => this.reportDefect(error));
      const pollMs = work.pollMs ?? usualPollMs;
      await signal.waitForNext(pauseMs ?? pollMs, since);
      if (pauseMs !== null || !this.seesAllCommits) continue;
      await Signal.waitForAny(quietMs - pollMs, [
        [signal, since],
        [commits, sinceCommit],
      ]);
      await signal.waitForNext(this.afterOthersMs, since);
    }
  }

  private async round(): Promise<number | null> {
    const { stopping, work } = this;
    this.hasFailedPart = false;
    const endRun = work.task && startCountedRun(work.task);
    try {
      const pauseMs = await work.round();
      if (!stopping.aborted) endRun?.(this.hasFailedPart ? 'failed' : 'done');
      this.recovered();
      return pauseMs;
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) return 0;
      endRun?.('failed');
      await sleep(this.failed(error), undefined, { signal: stopping }).catch(() => undefined);
      return 0;
    }
  }

  /** Keeps the loop running after a defect: if it ended, its work would silently stay undone while requests are answered. */
  private reportDefect(error: unknown): number {
    this.logger.error({ work: this.name, err: error }, 'background work has a defect, and goes on');
    countUnexpectedError('background_loop');
    return usualRetryMs[1];
  }

  /** Counts and reports a failed round. Returns the milliseconds to wait before the next attempt. */
  private failed(error: unknown): number {
    const { retryMs: [firstMs, longestMs] = usualRetryMs, warning, onFailure } = this.work;
    const retryMs = Math.min(firstMs * 2 ** this.failures, longestMs);
    this.failures += 1;
    onFailure?.(error);
    if (performance.now() - this.warnedAt >= warnAgainMs) {
      this.warnedAt = performance.now();
      this.logger.warn({ err: error, failures: this.failures, retryMs }, warning);
    }
    return retryMs;
  }

  private recovered(): void {
    if (this.failures === 0) return;
    this.logger.info({ work: this.name, failures: this.failures }, 'background work succeeds again');
    this.failures = 0;
    this.warnedAt = -Infinity;
  }
}
