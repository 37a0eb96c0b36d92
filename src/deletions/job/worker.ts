import { performance } from 'node:perf_hooks';
import { keepRunning } from '../../common/background/keep-running.js';
import { Signal } from '../../common/background/signal.js';
import { within } from '../../common/background/within.js';
import { countedRun } from '../../common/metrics/background-runs.js';
import { LeaseLost } from '../../stores/postgres/lease.js';
import { latestOccurrence } from '../../common/time/schedule.js';
import { openProjects, someNeedSecondLook } from './request-log.js';
import { failRun, openRun, recordOccurrence, requestRun, type Run } from './run-log.js';
import { Stopped } from '../steps/leased-steps.js';
import { type RunnerParts } from '../steps/run-steps.js';
import { DeletionRunner } from './runner.js';

export interface DeletionWorkerParts extends Omit<RunnerParts, 'isStopping'> {
  readonly schedule: string;
  readonly onFailure: () => void;
}

export const deletionLease = 'deletions';

/** Another process, such as the command line, may request a run. */
const pollMs = 1_000;
const secondLookMs = 60_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
const stopMs = 3_000;

/** Does the requested runs that no other process does, for as long as this process lives. */
export class DeletionWorker {
  private readonly news = new Signal();
  private running: Promise<void> | null = null;
  private stopping = false;
  private failures = 0;
  /** A scheduled moment may have passed while no process ran, so the first turn checks the schedule. */
  private scheduleIsDue = true;
  private secondLookAt = -Infinity;

  constructor(private readonly parts: DeletionWorkerParts) {}

  start(): void {
    this.running ??= keepRunning({
      name: 'deletions',
      logger: this.parts.logger,
      run: () => this.loop(),
      isStopping: () => this.stopping,
    });
  }

  /** Signals that a scheduled moment has come. */
  occurred(): void {
    this.scheduleIsDue = true;
    this.news.notify();
  }

  /** Signals that a run was requested. The signal only saves time: the queue is polled anyway. */
  wake(): void {
    this.news.notify();
  }

  async stop(): Promise<void> {
    const { running } = this;
    if (!running) return;
    this.stopping = true;
    this.news.notify();
    await within(stopMs, running);
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      const since = this.news.count;
      try {
        const pause = (await this.turn()) ? 0 : pollMs;
        this.failures = 0;
        await this.news.waitForNext(pause, since);
      } catch (error) {
        await this.failedTurn(error);
      }
    }
    await this.parts.lease.release().catch(() => undefined);
  }

  /** Returns whether this process had work to do. */
  private async turn(): Promise<boolean> {
    await this.askForDueRuns();
    const { postgres, lease } = this.parts;
    if (!(await openRun(postgres)) || !(await lease.acquire())) return false;
    try {
      // The previous holder of the lease may have finished the open run.
      const run = await openRun(postgres);
      if (run) await this.work(run);
      return run !== null;
    } finally {
      await lease.release().catch(() => undefined);
    }
  }

  private async askForDueRuns(): Promise<void> {
    const { postgres, schedule } = this.parts;
    if (this.scheduleIsDue) {
      const now = postgres.clock.now();
      const occurrence = latestOccurrence(schedule, now);
      if (occurrence) await recordOccurrence(postgres, occurrence, now);
      this.scheduleIsDue = false;
    }
    if (performance.now() < this.secondLookAt) return;
    this.secondLookAt = performance.now() + secondLookMs;
    for (const projectId of await openProjects(postgres)) {
      if (await someNeedSecondLook(postgres, projectId, postgres.clock.now())) {
        await requestRun(postgres, 'second look', postgres.clock.now());
        return;
      }
    }
  }

  private async work(run: Run): Promise<void> {
    const { postgres, logger } = this.parts;
    logger.info({ run: run.number, reason: run.reason }, 'deleting the events of deleted persons, and expired events');
    try {
      const runner = new DeletionRunner({ ...this.parts, isStopping: () => this.stopping }, run);
      await countedRun('deletions', () => runner.execute());
      logger.info({ run: run.number }, 'the events of deleted persons and expired events are deleted');
    } catch (error) {
      if (!(error instanceof LeaseLost) && !(error instanceof Stopped)) {
        await failRun(postgres, run.number, error instanceof Error ? error.message : String(error)).catch(
          () => undefined,
        );
      }
      throw error;
    }
  }

  private async failedTurn(error: unknown): Promise<void> {
    if (error instanceof LeaseLost || error instanceof Stopped) return;
    this.failures += 1;
    this.parts.onFailure();
    const retryMs = Math.min(firstRetryMs * 2 ** (this.failures - 1), longestRetryMs);
    this.parts.logger.warn({ err: error, retryMs }, 'the deletion of events was interrupted and will be retried');
    const until = performance.now() + retryMs;
    while (!this.stopping && performance.now() < until) {
      await this.news.waitForNext(until - performance.now(), this.news.count);
    }
  }
}
