import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { Workers } from '../platform/work/workers.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { ClickHouse } from '../platform/clickhouse/client.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { bound, pgSql } from '../platform/postgres/sql.js';
import { forgetOldChanges } from '../kernel/memberships/changes.repository.js';
import { forgetOldUnmatched } from './record/uploads.repository.js';
import { removeOutdatedMembers } from './calculation/calculator.js';
import { CalculationWorker } from './calculation-worker.js';

/** Another process may be calculating, so the state is polled. */
const pollMs = 100;
const sweepEveryMs = 30_000;

/** Everything that the rest of the module needs of the calculation of cohorts. */
@Injectable()
export class Calculations {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    clickhouse: ClickHouse,
    private readonly worker: CalculationWorker,
  ) {
    workers.every(sweepEveryMs, {
      name: 'old cohort members',
      warning: 'versions of cohorts that are no longer read could not be removed and are removed later',
      run: async () => {
        const now = postgres.clock.now();
        await removeOutdatedMembers(postgres, clickhouse, now);
        await forgetOldUnmatched(postgres, now);
        await forgetOldChanges(postgres, now);
      },
    });
  }

  /** Wakes the worker after a queued cohort was committed. This only saves time, because the queue is polled anyway. */
  wake(): void {
    this.worker.wake();
  }

  /** Waits until the cohort is no longer queued, or until the time is up. */
  async wait(project: ProjectContext, cohortId: number, seconds: number): Promise<void> {
    const { done } = this.worker;
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const since = done.count;
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0 || !(await this.isQueued(project, cohortId))) return;
      await done.waitForNext(Math.min(pollMs, remainingMs), since);
    }
  }

  private async isQueued(project: ProjectContext, cohortId: number): Promise<boolean> {
    const { rows } = await this.postgres.query(
      pgSql`SELECT 1 FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)} AND is_calculating AND NOT deleted`,
    );
    return rows.length > 0;
  }
}
