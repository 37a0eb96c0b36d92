import { performance } from 'node:perf_hooks';
import { Signal } from '../../common/background/signal.js';
import { keepRunning } from '../../common/background/keep-running.js';
import { within } from '../../common/background/within.js';
import { countedRun } from '../../common/metrics/background-runs.js';
import {
  openProjectDeletions,
  recordProjectDeletionError,
  type OpenProjectDeletion,
} from '../../projects/deletion/project-deletion-log.js';
import { endsRun, Stopped } from '../steps/leased-steps.js';
import { ProjectEraser, type EraserParts } from './project-eraser.js';
import { LeaseLost } from '../../stores/postgres/lease.js';

export interface ProjectDeletionWorkerParts extends Omit<EraserParts, 'isStopping'> {
  /** How long after the first count the stores are counted again. */
  readonly secondLookAfterMs?: number;
}

export const projectDeletionLease = 'project deletions';

/** A request of any process starts the work. */
const pollMs = 1_000;
const retryMs = 10_000;
const stopMs = 3_000;
/** Longer than the calculation of a cohort, and than a process that lost its lease can go on. */
const defaultSecondLookAfterMs = 10 * 60_000;

/** Removes the deleted projects that no other process removes, for as long as this process lives. */
export class ProjectDeletionWorker {
  private readonly news = new Signal();
  private running: Promise<void> | null = null;
  private stopping = false;
  /** Deletions that failed are left alone until these times, so that the others go on. */
  private readonly retryAt = new Map<string, number>();

  constructor(private readonly parts: ProjectDeletionWorkerParts) {}

  start(): void {
    this.running ??= keepRunning({
      name: 'project deletions',
      logger: this.parts.logger,
      run: () => this.loop(),
      isStopping: () => this.stopping,
    });
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
      const worked = await this.turn().catch((error: unknown) => {
        if (!(error instanceof LeaseLost) && !(error instanceof Stopped))
          this.parts.logger.warn({ err: error }, 'the deletion of projects was interrupted and will be retried');
        return false;
      });
      await this.news.waitForNext(worked ? 0 : pollMs, since);
    }
    await this.parts.lease.release().catch(() => undefined);
  }

  /** Returns whether this process had work to do. */
  private async turn(): Promise<boolean> {
    if ((await this.due()).length === 0 || !(await this.parts.lease.acquire())) return false;
    try {
      // The previous holder of the lease may have completed some of them.
      for (const deletion of await this.due()) await this.work(deletion);
      return true;
    } finally {
      await this.parts.lease.release().catch(() => undefined);
    }
  }

  private async due(): Promise<OpenProjectDeletion[]> {
    const { postgres, secondLookAfterMs = defaultSecondLookAfterMs } = this.parts;
    const secondLookUpTo = new Date(postgres.clock.now().getTime() - secondLookAfterMs);
    const open = await openProjectDeletions(postgres, secondLookUpTo);
    return open.filter(({ id }) => (this.retryAt.get(id) ?? 0) <= performance.now());
  }

  private async work(deletion: OpenProjectDeletion): Promise<void> {
    const { logger, postgres } = this.parts;
    const about = { project: deletion.deletedProjectId, deletion: deletion.id };
    try {
      const eraser = new ProjectEraser({ ...this.parts, isStopping: () => this.stopping }, deletion);
      await countedRun('project_deletions', () => eraser.execute());
      this.retryAt.delete(deletion.id);
      logger.info(about, 'a deleted project is removed from both stores');
    } catch (error) {
      if (!(error instanceof Error) || endsRun(error)) throw error;
      logger.warn({ err: error, ...about }, 'the removal of a deleted project must be retried');
      this.retryAt.set(deletion.id, performance.now() + retryMs);
      await recordProjectDeletionError(postgres, deletion.id, error.message);
    }
  }
}
