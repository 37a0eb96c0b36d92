import { Counter, Gauge, type Registry } from 'prom-client';
import { type Run, latestFinish } from './job/deletion-runs.repository.js';
import { Postgres, type Queryable } from '../platform/postgres/postgres.js';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Workers } from '../platform/work/workers.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { Config } from '../platform/config/config.js';
import { Projection } from '../kernel/projection/projection.js';
import { ClickHouse } from '../platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../platform/clickhouse/errors.js';
import { Lease } from '../platform/postgres/lease.js';
import { runDeletions } from './job/follow.js';
import { DeletionWorker, deletionLease } from './job/worker.js';

const pending = `
  SELECT count(*) AS number FROM deletion_requests WHERE settled_at IS NULL AND state <> 'done'`;

/** The gauges keep their last value while PostgreSQL is unavailable. */
class DeletionMetrics {
  private readonly deletedEvents: Counter;
  private readonly expiredEvents: Counter;
  private readonly failures: Counter;

  constructor(registry: Registry, postgres: Queryable) {
    const registers = [registry];
    new Gauge({
      name: 'kohort_deletion_requests_pending',
      help: 'Deletion requests whose events are not all deleted',
      registers,
      async collect() {
        const answer = await postgres.query<{ number: string }>(pending).catch(() => null);
        if (answer) this.set(Number(answer.rows[0]?.number));
      },
    });
    new Gauge({
      name: 'kohort_deletion_last_run_timestamp_seconds',
      help: 'When the deletion of events was last finished',
      registers,
      async collect() {
        const at = await latestFinish(postgres).catch(() => null);
        if (at) this.set(at.getTime() / 1000);
      },
    });
    this.deletedEvents = new Counter({
      name: 'kohort_deleted_events_total',
      help: 'Events of deleted persons deleted by this process',
      registers,
    });
    this.expiredEvents = new Counter({
      name: 'kohort_expired_events_total',
      help: 'Events older than their project keeps them, removed by this process',
      registers,
    });
    this.failures = new Counter({
      name: 'kohort_deletion_failures_total',
      help: 'Attempts of this process to delete events that were interrupted by an error',
      registers,
    });
  }

  deleted(events: number): void {
    this.deletedEvents.inc(events);
  }

  expired(events: number): void {
    this.expiredEvents.inc(events);
  }

  failed(): void {
    this.failures.inc();
  }
}

/** The pause between two checks of ClickHouse. The job waits for it even where the configuration says that questions do not. */
const betweenLooksMs = 100;

/** Runs the weekly deletion of events. */
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

  /** Requests a run now, and resolves when it is done. */
  run(): Promise<Run> {
    return runDeletions(this.postgres, this.postgres.clock.now(), ({ attempt }) => {
      if (attempt === 0) this.deletions.worker.wake();
    });
  }

  private async isFresh(projectId: number): Promise<boolean> {
    this.projection.wake();
    const waited = this.projection.waitUntilFresh(projectId, this.postgres.clock.now());
    // While ClickHouse is unavailable, events are still deleted from the log.
    const { complete } = await waited.catch((error: unknown) => {
      if (error instanceof ClickHouseUnavailable) return { complete: false };
      throw error;
    });
    if (!complete) await sleep(betweenLooksMs);
    return complete;
  }
}
