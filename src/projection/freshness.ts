import { performance } from 'node:perf_hooks';
import { type Bell } from '../common/background/bell.js';
import { type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../stores/postgres/sql.js';

export interface Freshness {
  /** The answer contains everything acknowledged up to this moment. */
  readonly asOf: Date;
  /** Whether that includes everything acknowledged before the question. */
  readonly complete: boolean;
}

interface Oldest {
  readonly created_at: Date;
}

const newestOf = (projectId: number): PgSql =>
  pgSql`
    SELECT max(id) AS id, EXISTS (SELECT 1 FROM shipments WHERE project_id = ${bound(projectId)} AND parked_at IS NOT NULL) AS parked
    FROM outbox WHERE project_id = ${bound(projectId)}`.named('projection-newest');

const oldestUpTo = (projectId: number, id: string): PgSql =>
  pgSql`
    SELECT created_at FROM outbox WHERE project_id = ${bound(projectId)} AND id <= ${bound(id)} ORDER BY id LIMIT 1`.named(
    'projection-oldest',
  );

/** The worker may run in another process, whose progress only the outbox shows. */
const pollMs = 15;
const pollBesideWorkerMs = 100;
/** Together with the time of a ping, soon enough for a 503 within two seconds. */
const lookAfterMs = 250;

/** Lets questions wait for all data written before them. */
export class FreshnessGate {
  private waitingCount = 0;

  constructor(
    private readonly postgres: Queryable,
    private readonly bells: {
      /** Wakes the worker: rows are waiting. */
      readonly work: Bell;
      /** Rung by the worker: rows have arrived. */
      readonly shipped: Bell;
    },
    private readonly isShippingHere: () => boolean,
    private readonly waitMs: number,
    /** Throws when ClickHouse is away: then nothing will be shipped, and no question answered. */
    private readonly demandEngine: () => Promise<void> = () => Promise.resolve(),
  ) {}

  get waiting(): number {
    return this.waitingCount;
  }

  async wait(projectId: number, now: Date): Promise<Freshness> {
    const deadline = performance.now() + this.waitMs;
    const { rows } = await this.postgres.query<{ id: string | null; parked: boolean }>(newestOf(projectId));
    const id = rows[0]?.id ?? null;
    if (id === null) return { asOf: now, complete: true };
    this.waitingCount += 1;
    this.bells.work.ring();
    try {
      // What waits behind a parked shipment does not come by itself.
      const oldest = await this.untilShipped(projectId, id, rows[0]?.parked ? 0 : deadline);
      if (!oldest) return { asOf: now, complete: true };
      return { asOf: oldest.created_at < now ? oldest.created_at : now, complete: false };
    } finally {
      this.waitingCount -= 1;
    }
  }

  /** Returns the oldest row that is left at the deadline. */
  private async untilShipped(projectId: number, id: string, deadline: number): Promise<Oldest | undefined> {
    let looksAt = performance.now() + lookAfterMs;
    for (;;) {
      const { rings } = this.bells.shipped;
      const { rows } = await this.postgres.query<Oldest>(oldestUpTo(projectId, id));
      const left = deadline - performance.now();
      if (!rows[0] || left <= 0) return rows[0];
      if (performance.now() >= looksAt) {
        await this.demandEngine();
        looksAt = performance.now() + lookAfterMs;
      }
      const pause = this.isShippingHere() ? pollBesideWorkerMs : pollMs;
      await this.bells.shipped.heard(Math.min(pause, left), rings);
    }
  }
}
