import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { type ProjectContext } from '../../common/project-context.js';
import { Config } from '../../config/config.js';
import { Signal } from '../../common/background/signal.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { StaticFilling } from '../static/static-filling.js';
import { Calculator } from './calculator.js';
import { forgetOldChanges } from '../changes/change-retention.js';
import { forgetOldUnmatched } from '../static/upload-log.js';
import { removeOutdatedMembers } from './outdated-members.js';
import { CalculationWorker } from './worker.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

const minuteMs = 60_000;
/** Another process may be calculating, so the state is polled. */
const pollMs = 100;

/** The interface of cohort calculation for the rest of the module. */
@Injectable()
export class Calculations implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queued = new Signal();
  private readonly done = new Signal();
  private readonly worker: CalculationWorker | null;

  constructor(
    config: Config,
    private readonly postgres: Postgres,
    clickhouse: ClickHouse,
    calculator: Calculator,
    filling: StaticFilling,
    @Inject(LOGGER) logger: Logger,
  ) {
    const sole = config.clickhouseUrl === null;
    const { queued: work, done } = this;
    this.worker = config.worksInBackground
      ? new CalculationWorker({
          postgres,
          logger,
          refreshMs: config.cohortRefreshMinutes * minuteMs,
          // The embedded engine has only one connection for calculations.
          slots: sole ? 1 : 2,
          sole,
          work,
          done,
          calculate: (project, attempt, now, signal) =>
            attempt.isStatic
              ? filling.fill(project, attempt.id, signal).then(() => null)
              : calculator.calculate(project, attempt, now, signal),
          sweep: async (now) => {
            await removeOutdatedMembers(postgres, clickhouse, now);
            await forgetOldUnmatched(postgres, now);
            await forgetOldChanges(postgres, now);
          },
        })
      : null;
  }

  onApplicationBootstrap(): void {
    this.worker?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker?.stop();
  }

  /** Signals that a queued cohort was committed. The signal only saves time: the queue is polled anyway. */
  wake(): void {
    this.queued.notify();
  }

  /** Waits until the cohort is no longer queued, or until the time is up. */
  async wait(project: ProjectContext, cohortId: number, seconds: number): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const since = this.done.count;
      const left = deadline - performance.now();
      if (left <= 0 || !(await this.isQueued(project, cohortId))) return;
      await this.done.waitForNext(Math.min(pollMs, left), since);
    }
  }

  private async isQueued(project: ProjectContext, cohortId: number): Promise<boolean> {
    const { rows } = await this.postgres.query(
      pgSql`SELECT 1 FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)} AND is_calculating AND NOT deleted`,
    );
    return rows.length > 0;
  }
}
