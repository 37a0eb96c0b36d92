import { Signal } from '../../platform/work/signal.js';
import { Workers } from '../../platform/work/workers.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Notices, notify } from '../../platform/postgres/notices.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { Inject, Injectable } from '@nestjs/common';
import { memoryShares } from '../../platform/config/memory-shares.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { anyOverride } from './actors.sql.js';
import { type Freshness, FreshnessGate, readPosition } from './freshness.js';
import { ProjectionMetrics } from './projection-metrics.js';
import { type ProjectionStatus, projectionStatus } from './status.js';
import { type CommittedEvents, RecentEvents } from './cargo/recent-events.js';
import { ProjectionWorker } from './worker.js';
import { BoundedMap } from '../../platform/values/bounded-map.js';

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
  /** What the newest questions of projects found in ClickHouse, which holds until rows arrive there. */
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
