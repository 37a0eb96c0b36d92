import { performance } from 'node:perf_hooks';
import { WorkEnded } from '../../platform/errors/work-ended.js';
import { type Worker } from '../../platform/work/worker.js';
import { type Workers } from '../../platform/work/workers.js';
import { countedRun } from '../../platform/telemetry/background-runs.js';
import { latestOccurrence } from '../../platform/time/schedule.js';
import { openProjects, someNeedSecondLook } from './deletion-requests.repository.js';
import { type Run, failRun, openRun, recordOccurrence, requestRun } from './deletion-runs.repository.js';
import { type RunnerParts } from '../run-steps.js';
import { DeletionRunner } from './runner.js';

export interface DeletionWorkerParts extends Omit<RunnerParts, 'isStopping'> {
  readonly schedule: string;
  readonly onFailure: () => void;
}

export const deletionLease = 'deletions';

const secondLookMs = 60_000;
const retryMs = [1_000, 60_000] as const;

/** Does the requested runs, unless another process holds the lease and does them. */
export class DeletionWorker {
  readonly worker: Worker;
  /** True at the start, because a scheduled moment may have passed while no process was running. */
  private scheduleIsDue = true;
  private secondLookAt = -Infinity;

  constructor(
    workers: Workers,
    private readonly parts: DeletionWorkerParts,
  ) {
    this.worker = workers.add({
      name: 'deletions',
      warning: 'the deletion of events was interrupted and will be retried',
      retryMs,
      round: () => this.round(),
      onFailure: parts.onFailure,
    });
  }

  /** Signals that a scheduled moment has come. */
  occurred(): void {
    this.scheduleIsDue = true;
    this.worker.wake();
  }

  private async round(): Promise<number | null> {
    await this.askForDueRuns();
    const { postgres, lease } = this.parts;
    if (!(await openRun(postgres))) return null;
    const isOurs = await lease.during(async () => {
      // The previous holder of the lease may have finished the open run.
      const run = await openRun(postgres);
      if (run) await this.work(run);
    });
    return isOurs ? 0 : null;
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
      const runner = new DeletionRunner({ ...this.parts, isStopping: () => this.worker.stopping.aborted }, run);
      await countedRun('deletions', () => runner.execute());
      logger.info({ run: run.number }, 'the events of deleted persons and expired events are deleted');
    } catch (error) {
      if (!(error instanceof WorkEnded)) {
        await failRun(postgres, run.number, error instanceof Error ? error.message : String(error)).catch(
          () => undefined,
        );
      }
      throw error;
    }
  }
}
