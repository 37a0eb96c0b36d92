import { Inject, Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { setTimeout as sleep } from 'node:timers/promises';
import { Workers } from '../platform/work/workers.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { Config } from '../platform/config/config.js';
import { Projection } from '../kernel/projection/projection.js';
import { ClickHouse } from '../platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../platform/clickhouse/errors.js';
import { Lease } from '../platform/postgres/lease.js';
import { DeletionMetrics } from './deletion-metrics.js';
import { runDeletions } from './job/follow.js';
import { type Run } from './job/deletion-runs.repository.js';
import { DeletionWorker, deletionLease } from './job/worker.js';
import { Postgres } from '../platform/postgres/postgres.js';

/** The job waits for ClickHouse even where questions are configured not to. */
const betweenLooksMs = 100;

/** The weekly job. */
@Injectable()
export class DeletionsJob {
  private readonly deletions: DeletionWorker;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    clickhouse: ClickHouse,
    private readonly projection: Projection,
    @Inject(LOGGER) logger: Logger,
    metrics: Metrics,
  ) {
    const counters = new DeletionMetrics(metrics.registry, postgres);
    this.deletions = new DeletionWorker(workers, {
      postgres,
      clickhouse,
      logger,
      schedule: config.deletionSchedule,
      lease: new Lease(postgres, deletionLease, { sole: config.clickhouseUrl === null }),
      isFresh: (projectId) => this.isFresh(projectId),
      onDeleted: (events) => counters.deleted(events),
      onExpired: (events) => counters.expired(events),
      onFailure: () => counters.failed(),
    });
  }

  /** DELETION_SCHEDULE defines the week; each minute the job checks whether a scheduled moment has come. */
  @Cron(CronExpression.EVERY_MINUTE, { name: 'deletions', timeZone: 'UTC' })
  look(): void {
    this.deletions.occurred();
  }

  /** Requests a run now, and resolves when it is done. */
  run(): Promise<Run> {
    return runDeletions(this.postgres, this.postgres.clock.now(), ({ attempt }) => {
      if (attempt === 0) this.deletions.worker.wake();
    });
  }

  private async isFresh(projectId: number): Promise<boolean> {
    this.projection.wake();
    const waited = this.projection.waitUntilFresh(projectId, this.postgres.clock.now());
    // While ClickHouse is away, the log can be swept all the same.
    const { complete } = await waited.catch((error: unknown) => {
      if (error instanceof ClickHouseUnavailable) return { complete: false };
      throw error;
    });
    if (!complete) await sleep(betweenLooksMs);
    return complete;
  }
}
