import { performance } from 'node:perf_hooks';
import { keepRunning } from '../../common/background/keep-running.js';
import { within } from '../../common/background/within.js';
import { type Logger } from '../../common/logging/logger.js';
import { beginCountedRun } from '../../common/metrics/background-runs.js';
import { type ProjectContext } from '../../common/project-context.js';
import { type Signal } from '../../common/background/signal.js';
import { findProject } from '../../projects/project-rows.js';
import { Lease, LeaseLost } from '../../stores/postgres/lease.js';
import { calculationError, retryAt } from './failure.js';
import {
  type Attempt,
  beginAttempt,
  leaseNameOf,
  queueDependencies,
  nextQueued,
  oursToMend,
  type QueuedCohort,
  queueStale,
  recordFailure,
  recordSuccess,
} from '../calculation-queue.js';
import { type CalculatedMembers } from '../changes/record-switch.js';
import { type Postgres } from '../../stores/postgres/postgres.js';

export interface CalculationWorkerParts {
  readonly postgres: Postgres;
  readonly logger: Logger;
  readonly refreshMs: number;
  /** The number of cohorts that are calculated at the same time. */
  readonly slots: number;
  /** Whether no other process can calculate. */
  readonly sole: boolean;
  /** Notifies when a cohort is queued. */
  readonly work: Signal;
  /** Notifies when a calculation has ended. */
  readonly done: Signal;
  /** Calculates a dynamic cohort, and returns the members; or fills a static one, which records its members itself. */
  readonly calculate: (
    project: ProjectContext,
    attempt: Attempt,
    now: Date,
    signal: AbortSignal,
  ) => Promise<CalculatedMembers | null>;
  /** Removes versions that are no longer read. */
  readonly sweep: (now: Date) => Promise<void>;
}

const ttlMs = 15_000;
const idleMs = 1_000;
const refreshEveryMs = 5_000;
const sweepEveryMs = 30_000;
const stopMs = 3_000;

/** Calculates queued cohorts for as long as this process runs: one project after the other, each cohort under a lease. */
export class CalculationWorker {
  private readonly busy = new Set<string>();
  /** The time of each project's last turn. */
  private readonly turns = new Map<number, number>();
  private readonly stopping = new AbortController();
  private running: Promise<unknown> | null = null;
  private refreshedAt = -Infinity;
  private sweptAt = performance.now();

  constructor(private readonly parts: CalculationWorkerParts) {}

  start(): void {
    const loop = {
      name: 'cohort calculation',
      logger: this.parts.logger,
      run: () => this.run(),
      isStopping: () => this.stopping.signal.aborted,
    };
    this.running ??= Promise.all(Array.from({ length: this.parts.slots }, () => keepRunning(loop)));
  }

  /** Unfinished cohorts stay queued, and the next process calculates them. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process that calculates cohorts is stopping'));
    this.parts.work.notify();
    if (this.running) await within(stopMs, this.running);
  }

  private async run(): Promise<void> {
    const { work, logger } = this.parts;
    let warned = false;
    while (!this.stopping.signal.aborted) {
      const since = work.count;
      try {
        await this.housekeeping();
        if (!(await this.turn())) await work.waitForNext(idleMs, since);
        warned = false;
      } catch (error) {
        if (!warned) logger.warn({ err: error }, 'cohorts cannot be calculated at the moment');
        warned = true;
        await work.waitForNext(idleMs, work.count);
      }
    }
  }

  private async housekeeping(): Promise<void> {
    const clock = performance.now();
    if (clock - this.refreshedAt >= refreshEveryMs) {
      this.refreshedAt = clock;
      await queueStale(this.parts.postgres, this.parts.postgres.clock.now(), this.parts.refreshMs);
    }
    if (clock - this.sweptAt >= sweepEveryMs) {
      this.sweptAt = clock;
      await this.parts.sweep(this.parts.postgres.clock.now());
    }
  }

  /** Calculates one cohort of the project whose last turn was the longest ago. Returns whether one was queued. */
  private async turn(): Promise<boolean> {
    const { postgres, sole } = this.parts;
    const queued = await nextQueued(postgres, postgres.clock.now(), [...this.busy], !sole);
    const turnOf = ({ projectId }: QueuedCohort) => this.turns.get(projectId) ?? -Infinity;
    for (const cohort of queued.sort((a, b) => turnOf(a) - turnOf(b))) {
      const name = leaseNameOf(cohort);
      if (this.busy.has(name)) continue;
      this.busy.add(name);
      try {
        const lease = new Lease(postgres, name, { ttlMs, sole });
        if (!(await lease.acquire())) continue;
        this.turns.set(cohort.projectId, performance.now());
        await this.work(cohort, lease);
        return true;
      } finally {
        this.busy.delete(name);
      }
    }
    return false;
  }

  private async work(cohort: QueuedCohort, lease: Lease): Promise<void> {
    const { postgres, refreshMs, done } = this.parts;
    try {
      if (await queueDependencies(postgres, cohort, postgres.clock.now(), refreshMs)) return;
      const attempt = await beginAttempt(postgres, lease, cohort);
      if (attempt) await this.attempt(attempt, lease);
    } catch (error) {
      if (!(error instanceof LeaseLost) && !this.stopping.signal.aborted) throw error;
    } finally {
      await lease.release().catch(() => undefined);
      done.notify();
    }
  }

  private async attempt(attempt: Attempt, lease: Lease): Promise<void> {
    const { postgres, logger, calculate, refreshMs } = this.parts;
    const calculatedAt = attempt.clock ?? postgres.clock.now();
    const end = beginCountedRun('cohorts');
    try {
      const project = await findProject(postgres, attempt.projectId);
      if (!project) throw new Error(`Project ${attempt.projectId} is gone`);
      const calculated = await calculate(project, attempt, calculatedAt, this.stopping.signal);
      await recordSuccess(postgres, lease, attempt, { calculated, calculatedAt, now: postgres.clock.now() });
      end('done');
    } catch (error) {
      if (error instanceof LeaseLost || this.stopping.signal.aborted) throw error;
      const now = postgres.clock.now();
      const failure = calculationError(error, now);
      end(oursToMend.includes(failure.code) ? 'failed' : 'refused');
      const { projectId: project, id: cohort } = attempt;
      logger.warn({ project, cohort, code: failure.code, err: error }, 'a cohort could not be calculated');
      await recordFailure(postgres, lease, attempt, {
        error: failure,
        retryAt: retryAt(error, attempt.errors, now, refreshMs),
        now,
      });
    }
  }
}
