import { performance } from 'node:perf_hooks';
import { keepRunning } from '../common/background/keep-running.js';
import { type Logger } from '../common/logging/logger.js';
import { countedRun } from '../common/metrics/background-runs.js';
import { LeaseLost, type Lease } from '../stores/postgres/lease.js';
import { type Signal } from '../common/background/signal.js';
import { type Ownership } from '../stores/clickhouse/ownership.js';
import { type Rebuilder } from './rebuild/rebuilder.js';
import { type ShipmentLog } from './shipping/shipment-log.js';
import { type Shipped, type Shipper } from './shipping/shipper.js';

export interface ProjectionWorkerParts {
  /** Its holder rebuilds. */
  readonly lease: Lease;
  /** The lease of this process alone, which holds its shipments. */
  readonly shipping: Lease;
  readonly ownership: Ownership | null;
  readonly log: ShipmentLog;
  readonly now: () => Date;
  readonly shipper: Shipper;
  readonly rebuilder: Rebuilder;
  readonly logger: Logger;
  readonly work: Signal;
  /** No other process ships, and all questions come to this one. */
  readonly sole: boolean;
  /** The number of questions that wait for the outbox. */
  readonly waiting: () => number;
  /** The number of buffered events that wait. */
  readonly backlog: () => number;
  /** Whether the buffer is so full that further events would have to be read again. */
  readonly isFull: () => boolean;
  /** Whether this process imports. */
  readonly isImporting: () => boolean;
  readonly onShipped: (shipped: Shipped) => void;
  readonly onFailure: (error: unknown) => void;
}

const idleMs = 100;
/** Single events arrive one by one; shipped together, they make fewer parts for ClickHouse to merge. */
const lingerMs = 100;
/** Used instead when a waiting question is certain to be noticed. */
const soleLingerMs = 2_000;
/**
 * During a burst the worker waits again as long as at least this many events arrive meanwhile: events are acknowledged
 * sooner while nothing is shipped, and few large parts are merged less often. But events must not wait long.
 */
const burstEvents = 10_000;
const burstMs = 10_000;
/** Older rows are shipped without a rest, so that the backlog stays small enough for a question to wait for it. */
const restedUntilLagMs = 2_000;
/** During an import, a rest is so many times as long as the shipment before it. */
const importRests = 3;
const longestImportRestMs = 5_000;
const leaseTryMs = 1_000;
const firstRetryMs = 250;
const longestRetryMs = 1_000;
const warnAgainMs = 30_000;
const stopMs = 3_000;

/** Ships waiting rows for as long as this process runs, and rebuilds while it holds the lease. */
export class ProjectionWorker {
  private running: Promise<void> | null = null;
  private stopping = false;
  private failures = 0;
  private warnedAt = -warnAgainMs;
  private leaseTriedAt = -leaseTryMs;
  private shippers = 0;

  constructor(private readonly parts: ProjectionWorkerParts) {}

  /** Whether this process ships, and no other. */
  get shipsAlone(): boolean {
    return this.running !== null && !this.stopping && this.parts.shipping.isValid && this.shippers === 1;
  }

  start(): void {
    this.running ??= keepRunning({
      name: 'projection',
      logger: this.parts.logger,
      run: () => this.run(),
      isStopping: () => this.stopping,
    });
  }

  /** Lets the running shipment finish, unless that takes long. */
  async stop(): Promise<void> {
    const { running, parts } = this;
    if (!running) return;
    this.stopping = true;
    parts.work.notify();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, stopMs)));
    const end = running
      .then(() => parts.rebuilder.stop())
      .then(() => Promise.all([parts.lease.release(), parts.shipping.release()]));
    await Promise.race([end, late]).catch((error: unknown) => {
      parts.logger.warn({ err: error }, 'the projection did not stop cleanly; another process continues shortly');
    });
    clearTimeout(timer);
    end.catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const since = this.parts.work.count;
      try {
        await this.holdDatabase();
        await this.holdLeases();
        const pause = await this.turn();
        this.recovered();
        await this.parts.work.waitForNext(pause, since);
      } catch (error) {
        await this.failed(error);
      }
    }
  }

  /** A process whose database is not the projection must not keep others from filling theirs. */
  private async holdDatabase(): Promise<void> {
    const { ownership, lease, shipping, rebuilder } = this.parts;
    if (!(await ownership?.faultOfWrites())) return;
    await rebuilder.stop();
    for (const held of [lease, shipping]) if (held.isValid) await held.release();
    await ownership?.regain();
  }

  private async holdLeases(): Promise<void> {
    const { lease, log, shipping, rebuilder } = this.parts;
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

  /** Does one step of work. Returns how long to rest after it unless something happens. */
  private async turn(): Promise<number> {
    const { lease, log, rebuilder, shipper } = this.parts;
    const pending = await log.pending();
    this.shippers = pending.shippers;
    if (pending.rebuild && lease.isValid) await rebuilder.advance(this.parts.now());
    if (!pending.shipping) return idleMs;
    const started = performance.now();
    const shipped = await countedRun('shipping', () => shipper.ship(this.parts.now));
    if (!shipped) return idleMs;
    this.parts.onShipped(shipped);
    await this.rest(started, shipped, pending.oldest);
    return 0;
  }

  /** Under load, rests as long as it worked: capture needs the same processors, and larger shipments are faster. */
  private async rest(started: number, { full }: Shipped, oldest: Date | null): Promise<void> {
    if (!full) return this.parts.sole ? this.gather(started) : this.linger(started + lingerMs);
    const now = performance.now();
    if (this.parts.sole && this.parts.isImporting()) return this.restFromImport(now, now - started);
    const isLate = oldest !== null && this.parts.now().getTime() - oldest.getTime() > restedUntilLagMs;
    if (!isLate) await this.linger(now + (now - started));
  }

  /** Most of a large import is shipped behind it, unless a question waits: both at once would slow down the import. */
  private restFromImport(now: number, workedMs: number): Promise<void> {
    const until = now + Math.min(importRests * workedMs, longestImportRestMs);
    return this.linger(until, () => !this.parts.isImporting());
  }

  private async gather(started: number): Promise<void> {
    const { backlog } = this.parts;
    for (let until = started + soleLingerMs; until <= started + burstMs; until += soleLingerMs) {
      const before = backlog();
      await this.linger(until);
      if (backlog() - before < burstEvents) return;
    }
  }

  /** Questions end this wait. */
  private async linger(until: number, isOver = this.parts.isFull): Promise<void> {
    const { work, waiting } = this.parts;
    for (;;) {
      const since = work.count;
      const left = until - performance.now();
      if (left <= 0 || waiting() > 0 || isOver() || this.stopping) return;
      await work.waitForNext(left, since);
    }
  }

  private async failed(error: unknown): Promise<void> {
    this.parts.onFailure(error);
    if (error instanceof LeaseLost) return;
    this.failures += 1;
    const retryMs = Math.min(firstRetryMs * 2 ** (this.failures - 1), longestRetryMs);
    if (performance.now() - this.warnedAt >= warnAgainMs) {
      this.warnedAt = performance.now();
      this.parts.logger.warn({ err: error, failures: this.failures }, 'the projection cannot be brought up to date');
    }
    const until = performance.now() + retryMs;
    while (!this.stopping && performance.now() < until) {
      await this.parts.work.waitForNext(until - performance.now(), this.parts.work.count);
    }
  }

  private recovered(): void {
    if (this.failures === 0) return;
    this.parts.logger.info({ failures: this.failures }, 'the projection can be brought up to date again');
    this.failures = 0;
    this.warnedAt = -warnAgainMs;
  }
}
