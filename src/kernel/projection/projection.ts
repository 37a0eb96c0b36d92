import { Counter, Gauge, type Registry } from 'prom-client';
import { sharedLook } from '../../platform/telemetry/shared-look.js';
import { causeOf, failureCauses } from './shipping/faults.js';
import { type ProjectionStatus, projectionStatus } from './status.js';
import { Signal } from '../../platform/work/signal.js';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Notices, notify } from '../../platform/postgres/notices.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { Inject, Injectable } from '@nestjs/common';
import { unavailable } from '../../platform/errors/problem.js';
import { memoryShares } from '../../platform/config/memory-shares.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { anyOverride } from './actors.sql.js';
import { type Freshness, FreshnessGate, readPosition } from './freshness.js';
import { type CommittedEvents, RecentEvents } from './cargo/recent-events.js';
import { ProjectionWorker } from './worker.js';
import { BoundedMap } from '../../platform/values/bounded-map.js';

class ProjectionMetrics {
  private readonly shipped: Counter<'table'>;
  private readonly failures: Counter<'cause'>;

  constructor(registry: Registry, status: () => Promise<ProjectionStatus>) {
    const look = sharedLook(status);
    new Gauge({
      name: 'kohort_projection_lag_seconds',
      help: 'Age of the oldest change that is not yet in ClickHouse',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.lagSeconds);
      },
    });
    new Gauge({
      name: 'kohort_projection_waiting_keys',
      help: 'Events, persons and distinct ids that are not yet in ClickHouse',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.waitingKeys);
      },
    });
    new Gauge({
      name: 'kohort_projection_parked_shipments',
      help: 'Shipments that ClickHouse refuses, so that their projects wait for `projection retry`',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.parked.length);
      },
    });
    this.shipped = new Counter({
      name: 'kohort_projection_shipped_rows_total',
      help: 'Rows shipped to ClickHouse by this process',
      labelNames: ['table'],
      registers: [registry],
    });
    this.failures = new Counter({
      name: 'kohort_projection_failures_total',
      help: 'Attempts of this process to bring ClickHouse up to date that failed, by cause',
      labelNames: ['cause'],
      registers: [registry],
    });
    // Prometheus sees no increase in a series that begins with its first failure.
    for (const cause of failureCauses) this.failures.inc({ cause }, 0);
  }

  count(rows: ReadonlyMap<string, number>): void {
    for (const [table, number] of rows) this.shipped.inc({ table }, number);
  }

  failed(error: unknown): void {
    this.failures.inc({ cause: causeOf(error) });
  }
}

/**
 * Tells the workers of other processes that a question waits here, and hears of their waiting questions and their shipments.
 */
class OtherProcesses {
  readonly notices: Notices;
  private isWaiting = false;
  private isWaking = false;
  private wakesAgain = false;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    signals: { readonly work: Signal; readonly shipped: Signal },
    logger: Logger,
  ) {
    this.notices = new Notices(
      workers,
      postgres,
      {
        kohort_shipped: () => signals.shipped.notify(),
        kohort_waiting: () => {
          this.isWaiting = true;
          signals.work.notify();
        },
      },
      logger,
    );
  }

  /** 1 from the moment a question of any process waits until this process has shipped. */
  get waiting(): number {
    return this.isWaiting ? 1 : 0;
  }

  shipped(): void {
    this.isWaiting = false;
  }

  /** Questions that come while a notice is on its way share the next one. */
  wake(): void {
    if (this.isWaking) {
      this.wakesAgain = true;
      return;
    }
    this.isWaking = true;
    void notify(this.postgres, 'kohort_waiting')
      .catch(() => undefined)
      .finally(() => {
        this.isWaking = false;
        if (!this.wakesAgain) return;
        this.wakesAgain = false;
        this.wake();
      });
  }
}

/** The interface through which the rest of the service uses the way from PostgreSQL to ClickHouse. */
@Injectable()
export class Projection {
  private readonly work = new Signal();
  private readonly shipped = new Signal();
  private readonly recent: RecentEvents;
  private readonly gate: FreshnessGate;
  private readonly worker: ProjectionWorker;
  /** Null when this process alone uses ClickHouse. */
  private readonly others: OtherProcesses | null;
  private imports = 0;
  /** The findings of the newest questions of projects, which hold until rows arrive in ClickHouse. */
  private readonly overrides = new BoundedMap<number, { readonly position: string; readonly isOverridden: boolean }>(
    10_000,
  );

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    @Inject(LOGGER) logger: Logger,
    metrics: Metrics,
  ) {
    const { work, shipped } = this;
    this.recent = new RecentEvents(memoryShares(config.memoryBudget).recentEvents);
    const counters = new ProjectionMetrics(metrics.registry, () => this.status());
    const hearsAll = () => this.worker.shipsAlone || this.others?.notices.areHeard === true;
    this.gate = new FreshnessGate(
      postgres,
      { work, shipped },
      hearsAll,
      config.projectionWaitMs,
      () => clickhouse.assertAnswering(),
      () => {
        if (!this.worker.shipsAlone) this.others?.wake();
      },
    );
    const sole = config.clickhouseUrl === null;
    this.others = sole ? null : new OtherProcesses(workers, postgres, { work, shipped }, logger);
    this.worker = new ProjectionWorker(workers, {
      ...{ postgres, clickhouse, logger, sole, recent: this.recent, work },
      waiting: () => this.gate.waiting + (this.others?.waiting ?? 0),
      isImporting: () => this.imports > 0,
      onShipped: ({ rows }) => {
        counters.count(rows);
        shipped.notify();
        this.others?.shipped();
      },
      onFailure: (error) => counters.failed(error),
    });
  }

  /** Buffers committed events if only this process ships. Must be called before `wake`. */
  remember(projectId: number, committed: CommittedEvents): void {
    if (this.worker.shipsAlone) this.recent.remember(projectId, committed);
    else this.recent.clear();
  }

  /**
   * Signals that something was committed together with an outbox row. The call is optional: the worker polls the outbox
   * anyway.
   */
  wake(): void {
    this.work.notify();
  }

  /** An import begins, during which little is shipped unless a question waits. Returns a function that ends it. */
  startImport(): () => void {
    this.imports += 1;
    return () => {
      this.imports -= 1;
      this.wake();
    };
  }

  /** Waits, within bounds, until everything that was acknowledged before the call is in ClickHouse. */
  waitUntilFresh(projectId: number, now: Date): Promise<Freshness> {
    return this.gate.wait(projectId, now);
  }

  /** Like `waitUntilFresh`, for work that must not miss anything that was acknowledged before: throws if it cannot be awaited. */
  async waitUntilComplete(projectId: number, now: Date): Promise<void> {
    const { complete } = await this.waitUntilFresh(projectId, now);
    if (!complete) throw unavailable('ClickHouse has not received all events yet: try again');
  }

  /** True if the project has overrides, with which its events must be read. `position` is that of `waitUntilFresh`. */
  async hasOverrides(projectId: number, position: string): Promise<boolean> {
    const known = this.overrides.get(projectId);
    if (known?.position === position) return known.isOverridden;
    const found = await this.clickhouse.query(anyOverride(projectId), { project: { id: projectId }, short: true });
    const isOverridden = found.length > 0;
    this.overrides.set(projectId, { position, isOverridden });
    return isOverridden;
  }

  /** `waitUntilFresh` returns it, too. */
  position(): Promise<string> {
    return readPosition(this.postgres);
  }

  status(): Promise<ProjectionStatus> {
    return projectionStatus(this.postgres);
  }
}

/** Returns the number up to which all shipments are in ClickHouse at the position. */
export const shipmentsUpTo = (position: string): bigint => BigInt(position.split(' ')[0] ?? '');
