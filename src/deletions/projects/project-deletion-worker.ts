import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { countedRun } from '../../platform/telemetry/background-runs.js';
import { Config } from '../../platform/config/config.js';
import {
  openProjectDeletions,
  recordProjectDeletionError,
  type OpenProjectDeletion,
} from '../../kernel/projects/project-deletions.repository.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { endsRun } from '../run-steps.js';
import { ProjectEraser } from './project-eraser.js';

const retryMs = 10_000;
/** Longer than the calculation of a cohort takes, and longer than a process goes on after it has lost its lease. */
const secondLookAfterMs = 10 * 60_000;

/** Removes deleted projects, unless another process holds the lease and removes them. */
@Injectable()
export class ProjectDeletionWorker {
  private readonly worker: Worker;
  private readonly lease: Lease;
  /** Failed deletions are not tried before these times, so that the others make progress. */
  private readonly retryAt = new Map<string, number>();

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lease = new Lease(postgres, 'project deletions', { sole: config.clickhouseUrl === null });
    this.worker = workers.add({
      name: 'project deletions',
      warning: 'the deletion of projects was interrupted and will be retried',
      round: () => this.round(),
    });
  }

  private async round(): Promise<number | null> {
    if ((await this.due()).length === 0) return null;
    const isOurs = await this.lease.during(async () => {
      // The previous holder of the lease may have completed some deletions.
      for (const deletion of await this.due()) await this.work(deletion);
    });
    return isOurs ? 0 : null;
  }

  private async due(): Promise<OpenProjectDeletion[]> {
    const secondLookUpTo = new Date(this.postgres.clock.now().getTime() - secondLookAfterMs);
    const open = await openProjectDeletions(this.postgres, secondLookUpTo);
    return open.filter(({ id }) => (this.retryAt.get(id) ?? 0) <= performance.now());
  }

  private async work(deletion: OpenProjectDeletion): Promise<void> {
    const { logger, postgres, clickhouse, lease } = this;
    const about = { project: deletion.deletedProjectId, deletion: deletion.id };
    try {
      const isStopping = () => this.worker.stopping.aborted;
      const eraser = new ProjectEraser({ postgres, clickhouse, lease, logger, isStopping }, deletion);
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
