import { performance } from 'node:perf_hooks';
import { type Signal } from '../../platform/work/signal.js';
import { type Worker } from '../../platform/work/worker.js';
import { type Workers } from '../../platform/work/workers.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { countedRun } from '../../platform/telemetry/background-runs.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { Lease } from '../../platform/postgres/lease.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { RecentEvents } from './cargo/recent-events.js';
import { Rebuilder } from './rebuild/rebuilder.js';
import { shipperLease } from './shippers.js';
import { Loader } from './shipping/loader.js';
import { cargoesOf } from './shipping/shipment.js';
import { ShipmentsRepository } from './shipping/shipments.repository.js';
import { Shipper, type Shipped } from './shipping/shipper.js';
import { rebuildLeaseName } from './status.js';

export interface ProjectionWorkerParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  /** The embedded ClickHouse belongs to this process: no other process can ship, and all questions come to this one. */
  readonly sole: boolean;
  /** Events that this process commits itself. */
  readonly recent?: RecentEvents;
  readonly work: Signal;
  /** The number of questions that wait for the outbox. */
  readonly waiting: () => number;
  /** True while this process imports. */
  readonly isImporting?: () => boolean;
  readonly onShipped: (shipped: Shipped) => void;
  readonly onFailure?: (error: unknown) => void;
}

const pollMs = 100;
/** Single events arrive one by one; shipped together, they make fewer parts for ClickHouse to merge. */
const lingerMs = 100;
/** Used when this process ships alone, and so knows of every waiting question. */
const soleLingerMs = 2_000;
/**
 * During a burst the worker waits again as long as at least this many events arrive meanwhile: events are acknowledged sooner
 * while nothing is shipped, and few large parts are merged less often. No event waits longer than `burstMs`.
 */
const burstEvents = 10_000;
const burstMs = 10_000;
/**
 * Once the oldest waiting row is older than this, shipments follow each other without a rest, so that the backlog stays small
 * enough for a question to wait for it.
 */
const restedUntilLagMs = 2_000;
/** During an import, a rest is this many times as long as the shipment before it. */
const importRests = 3;
const longestImportRestMs = 5_000;
const leaseTryMs = 1_000;
const retryMs = [250, 1_000] as const;

/** Ships waiting rows, and rebuilds the projection while this process holds the lease for rebuilds. */
export class ProjectionWorker {
  readonly worker: Worker;
  /** Held by the one process that may rebuild. */
  private readonly lease: Lease;
  /** The lease of this process alone, by which its shipments are its own. */
  private readonly shipping: Lease;
  private readonly recent: RecentEvents;
  private readonly log: ShipmentsRepository;
  private readonly shipper: Shipper;
  private readonly rebuilder: Rebuilder;
  private leaseTriedAt = -leaseTryMs;
  private shippers = 0;

  constructor(
    workers: Workers,
    private readonly parts: ProjectionWorkerParts,
  ) {
    const { postgres, clickhouse, logger, sole, work } = parts;
    const lease = new Lease(postgres, rebuildLeaseName, { sole });
    const shipping = shipperLease(postgres, { sole });
    this.lease = lease;
    this.shipping = shipping;
    this.recent = parts.recent ?? new RecentEvents();
    const cargoes = cargoesOf(this.recent);
    const loader = new Loader(clickhouse, logger);
    this.log = new ShipmentsRepository(postgres, shipping, cargoes, { sole, ownership: clickhouse.ownership });
    this.shipper = new Shipper(postgres, shipping, this.log, loader, cargoes, logger);
    this.rebuilder = new Rebuilder({ postgres, clickhouse, lease, loader, logger, onCopied: () => work.notify() });
    this.worker = workers.add({
      name: 'projection',
      warning: 'the projection cannot be brought up to date',
      retryMs,
      pollMs,
      signal: work,
      round: () => this.round(),
      onFailure: parts.onFailure,
      end: async () => {
        await this.rebuilder.stop();
        await Promise.all([lease.release(), shipping.release()]);
      },
    });
  }

  /** True if this process is the only one that ships. */
  get shipsAlone(): boolean {
    return this.worker.isRunning && this.shipping.isValid && this.shippers === 1;
  }

  /** Does one step of work. Returns how long to rest afterwards unless something happens. */
  private async round(): Promise<number | null> {
    await this.holdDatabase();
    await this.holdLeases();
    const { lease, log, rebuilder, shipper } = this;
    const pending = await log.pending();
    this.shippers = pending.shippers;
    if (pending.rebuild && lease.isValid) await rebuilder.advance(this.now());
    // A rebuild has steps that no commit announces.
    const nextMs = pending.rebuild ? pollMs : null;
    if (!pending.shipping) return nextMs;
    const started = performance.now();
    const shipped = await countedRun('shipping', () => shipper.ship(() => this.now()));
    if (!shipped) return nextMs;
    this.parts.onShipped(shipped);
    await this.rest(started, shipped, pending.oldest);
    return 0;
  }

  /**
   * Gives up both leases when the ClickHouse of this process is not the projection, so that other processes can fill the
   * projection.
   */
  private async holdDatabase(): Promise<void> {
    const { lease, shipping, rebuilder } = this;
    const { ownership } = this.parts.clickhouse;
    if (!(await ownership?.faultOfWrites())) return;
    await rebuilder.stop();
    for (const held of [lease, shipping]) if (held.isValid) await held.release();
    await ownership?.regain();
  }

  private async holdLeases(): Promise<void> {
    const { lease, log, shipping, rebuilder } = this;
    if (!shipping.isValid) {
      await log.forgetDeadShippers();
      await shipping.acquire();
    }
    if (lease.isValid) return;
    await rebuilder.stop();
    if (performance.now() - this.leaseTriedAt < leaseTryMs) return;
    this.leaseTriedAt = performance.now();
    if (await lease.acquire()) await rebuilder.tidy();
  }

  /** Under load, rests as long as it worked: capture needs the same processors, and larger shipments are faster. */
  private async rest(started: number, { full }: Shipped, oldest: Date | null): Promise<void> {
    if (!full) return this.parts.sole ? this.gather(started) : this.linger(started + lingerMs);
    const now = performance.now();
    if (this.parts.sole && this.isImporting) return this.restFromImport(now, now - started);
    const isLate = oldest !== null && this.now().getTime() - oldest.getTime() > restedUntilLagMs;
    if (!isLate) await this.linger(now + (now - started));
  }

  /**
   * Rests long, so that most of a large import is shipped only after it, unless a question waits: both at once would slow down
   * the import.
   */
  private restFromImport(now: number, workedMs: number): Promise<void> {
    const until = now + Math.min(importRests * workedMs, longestImportRestMs);
    return this.linger(until, () => !this.isImporting);
  }

  private async gather(started: number): Promise<void> {
    for (let until = started + soleLingerMs; until <= started + burstMs; until += soleLingerMs) {
      const before = this.recent.size;
      await this.linger(until);
      if (this.recent.size - before < burstEvents) return;
    }
  }

  /** Waits until the given moment, or until a question waits, the wait `isOver`, or the process ends. */
  private async linger(until: number, isOver = () => this.recent.isNearlyFull): Promise<void> {
    const { work, waiting } = this.parts;
    for (;;) {
      const since = work.count;
      const remainingMs = until - performance.now();
      if (remainingMs <= 0 || waiting() > 0 || isOver() || this.worker.stopping.aborted) return;
      await work.waitForNext(remainingMs, since);
    }
  }

  private get isImporting(): boolean {
    return this.parts.isImporting?.() === true;
  }

  private now(): Date {
    return this.parts.postgres.clock.now();
  }
}
