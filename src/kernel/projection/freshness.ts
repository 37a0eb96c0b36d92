import { performance } from 'node:perf_hooks';
import { type Signal } from '../../platform/work/signal.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { collectOutbox } from './outbox/outbox.js';
import { OutboxWatch } from './outbox-watch.js';

export interface Freshness {
  /** The answer contains everything acknowledged up to this moment. */
  readonly asOf: Date;
  /** True if that includes everything acknowledged before the question. */
  readonly complete: boolean;
}

const newestOf = (projectId: number): PgSql =>
  pgSql`
    SELECT max(id) AS id, EXISTS (SELECT 1 FROM shipments WHERE project_id = ${bound(projectId)} AND parked_at IS NOT NULL) AS parked
    FROM outbox WHERE project_id = ${bound(projectId)}`.named('projection-newest');

/** Lets questions wait for all data written before them. */
export class FreshnessGate {
  private readonly outbox: OutboxWatch;

  constructor(
    private readonly postgres: Postgres,
    private readonly signals: {
      /** Wakes the worker of this process: rows are waiting. */
      readonly work: Signal;
      /** Notifies when rows have arrived. */
      readonly shipped: Signal;
    },
    hearsAll: () => boolean,
    private readonly waitMs: number,
    /** Throws when ClickHouse is away: then nothing will be shipped, and no question answered. */
    requireEngine: () => Promise<void> = () => Promise.resolve(),
    /** Wakes the workers of other processes. */
    private readonly wakeOthers: () => void = () => undefined,
  ) {
    this.outbox = new OutboxWatch(postgres, signals.shipped, hearsAll, requireEngine);
  }

  get waiting(): number {
    return this.outbox.waiting;
  }

  async wait(projectId: number, now: Date): Promise<Freshness> {
    const deadline = performance.now() + this.waitMs;
    await collectOutbox(this.postgres);
    const { rows } = await this.postgres.query<{ id: string | null; parked: boolean }>(newestOf(projectId));
    const id = rows[0]?.id ?? null;
    if (id === null) return { asOf: now, complete: true };
    // Rows after a parked shipment do not come by themselves.
    const until = rows[0]?.parked ? 0 : deadline;
    this.signals.work.notify();
    this.wakeOthers();
    const oldest = await this.outbox.untilShipped(projectId, id, until);
    if (!oldest) return { asOf: now, complete: true };
    return { asOf: oldest.created_at < now ? oldest.created_at : now, complete: false };
  }
}
