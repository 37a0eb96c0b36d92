import { Inject, Injectable } from '@nestjs/common';
import { Signal } from '../platform/work/signal.js';
import { ProjectRotation } from '../platform/work/active-projects.js';
import { WorkEnded } from '../platform/errors/work-ended.js';
import { type Worker } from '../platform/work/worker.js';
import { Workers } from '../platform/work/workers.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { startCountedRun } from '../platform/telemetry/background-runs.js';
import { Config } from '../platform/config/config.js';
import { findProject } from '../kernel/projects/projects.repository.js';
import { Lease } from '../platform/postgres/lease.js';
import { Postgres } from '../platform/postgres/postgres.js';
import {
  type Attempt,
  startAttempt,
  leaseNameOf,
  queueDependencies,
  nextQueued,
  oursToMend,
  type QueuedCohort,
  queueStale,
  recordFailure,
  recordSuccess,
} from './record/calculations.repository.js';
import { type CalculatedMembers } from '../kernel/memberships/record-members.js';
import { StaticFilling } from './static/static-filling.js';
import { Calculator } from './calculation/calculator.js';
import { calculationError, retryAt } from './calculation/failure.js';

const ttlMs = 15_000;
const pollMs = 1_000;
const refreshEveryMs = 10_000;
const minuteMs = 60_000;

/** Calculates queued cohorts, in rotation between the projects, each cohort under a lease. Unfinished cohorts stay queued. */
@Injectable()
export class CalculationWorker {
  /** Notifies when a calculation has ended. */
  readonly done = new Signal();
  private readonly queued = new Signal();
  private readonly rotation = new ProjectRotation();
  private readonly refreshMs: number;
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly calculator: Calculator,
    private readonly filling: StaticFilling,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.refreshMs = config.cohortRefreshMinutes * minuteMs;
    this.sole = config.clickhouseUrl === null;
    const work = {
      name: 'cohorts',
      warning: 'cohorts cannot be calculated at the moment',
      signal: this.queued,
      pollMs,
    };
    // The embedded engine has only one connection for calculations.
    for (let slots = this.sole ? 1 : 2; slots > 0; slots -= 1) {
      const worker: Worker = workers.add({ ...work, round: () => this.round(worker.stopping) });
    }
    workers.every(refreshEveryMs, {
      name: 'stale cohorts',
      warning: 'cohorts whose members are old cannot be queued at the moment',
      firstMs: 0,
      run: async () => {
        if ((await queueStale(postgres, postgres.clock.now(), this.refreshMs)) > 0) this.wake();
      },
    });
  }

  wake(): void {
    this.queued.notify();
  }

  private async round(stopping: AbortSignal): Promise<number | null> {
    const { postgres, sole, rotation } = this;
    const queued = await nextQueued(postgres, postgres.clock.now(), rotation.held, !sole);
    const worked = await rotation.workOnOne(
      queued,
      (cohort) => new Lease(postgres, leaseNameOf(cohort), { ttlMs, sole }),
      (cohort, lease) => this.work(cohort, lease, stopping),
    );
    return worked ? 0 : null;
  }

  private async work(cohort: QueuedCohort, lease: Lease, stopping: AbortSignal): Promise<void> {
    const { postgres, refreshMs, done } = this;
    try {
      if (await queueDependencies(postgres, cohort, postgres.clock.now(), refreshMs)) return;
      const attempt = await startAttempt(postgres, lease, cohort);
      if (attempt) await this.attempt(attempt, lease, stopping);
    } finally {
      done.notify();
    }
  }

  private async attempt(attempt: Attempt, lease: Lease, stopping: AbortSignal): Promise<void> {
    const { postgres, logger, refreshMs } = this;
    const calculatedAt = attempt.clock ?? postgres.clock.now();
    const end = startCountedRun('cohorts');
    try {
      const calculated = await this.calculate(attempt, calculatedAt, stopping);
      await recordSuccess(postgres, lease, attempt, { calculated, calculatedAt, now: postgres.clock.now() });
      end('done');
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) throw error;
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

  /** Returns the members of a dynamic cohort; null for a static cohort, which `filling` fills. */
  private async calculate(attempt: Attempt, now: Date, stopping: AbortSignal): Promise<CalculatedMembers | null> {
    const project = await findProject(this.postgres, attempt.projectId);
    if (!project) throw new Error(`Project ${attempt.projectId} is gone`);
    if (!attempt.isStatic) return this.calculator.calculate(project, attempt, now, stopping);
    await this.filling.fill(project, attempt, stopping);
    return null;
  }
}
