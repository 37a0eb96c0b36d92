import { performance } from 'node:perf_hooks';
import { type Signal } from '../../platform/work/signal.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** A row of the outbox. */
export interface OldestRow {
  readonly created_at: Date;
}

interface Waiter {
  readonly projectId: number;
  readonly id: string;
  readonly deadline: number;
  readonly resolve: (oldest: OldestRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Another process may ship, whose progress only the outbox shows. */
const pollMs = 15;
/** Used instead when the end of each shipment is heard of. */
const pollBesideBellMs = 100;
/** Together with the time of a ping, soon enough for a 503 within two seconds. */
const lookAfterMs = 250;

const oldestOf = (waiters: readonly Waiter[]): PgSql => {
  const [projects, ids] = [waiters.map(({ projectId }) => projectId), waiters.map(({ id }) => id)];
  return pgSql`
    SELECT (SELECT o.created_at FROM outbox AS o WHERE o.project_id = w.project_id AND o.id <= w.id ORDER BY o.id LIMIT 1) AS created_at
    FROM unnest(${bound(projects)}::integer[], ${bound(ids)}::bigint[]) WITH ORDINALITY AS w (project_id, id, place)
    ORDER BY w.place`.named('projection-oldest');
};

/** Looks at the outbox for all questions of this process that wait for rows to be shipped: one statement at a time. */
export class OutboxWatch {
  private readonly waiters = new Set<Waiter>();
  private running = false;

  constructor(
    private readonly postgres: Queryable,
    /** Rung when rows have arrived. */
    private readonly shipped: Signal,
    /** True if the signal comes for shipments of all processes. */
    private readonly hearsAll: () => boolean,
    /** Throws when ClickHouse is away: then nothing will be shipped, and no question answered. */
    private readonly requireEngine: () => Promise<void>,
  ) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /** Returns the oldest row up to `id` that is left at the deadline; none if all were shipped before. */
  untilShipped(projectId: number, id: string, deadline: number): Promise<OldestRow | undefined> {
    return new Promise((resolve, reject) => {
      const waiter = { projectId, id, deadline, resolve, reject };
      this.waiters.add(waiter);
      // The others may be looked at again only after a pause.
      if (this.running) this.look([waiter]).catch(reject);
      else void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      let looksAt = performance.now() + lookAfterMs;
      while (this.waiters.size > 0) {
        const since = this.shipped.count;
        await this.look([...this.waiters]);
        if (this.waiters.size === 0) break;
        if (performance.now() >= looksAt) {
          await this.requireEngine();
          looksAt = performance.now() + lookAfterMs;
        }
        const pause = this.hearsAll() ? pollBesideBellMs : pollMs;
        const remainingMs = Math.min(...[...this.waiters].map(({ deadline }) => deadline)) - performance.now();
        await this.shipped.waitForNext(Math.min(pause, remainingMs), since);
      }
    } catch (error) {
      for (const { reject } of this.waiters) reject(error);
      this.waiters.clear();
    } finally {
      this.running = false;
    }
  }

  private async look(looked: readonly Waiter[]): Promise<void> {
    const { rows } = await this.postgres.query<{ created_at: Date | null }>(oldestOf(looked));
    const now = performance.now();
    for (const [at, waiter] of looked.entries()) {
      const created_at = rows[at]?.created_at ?? null;
      if (created_at !== null && now < waiter.deadline) continue;
      this.waiters.delete(waiter);
      waiter.resolve(created_at === null ? undefined : { created_at });
    }
  }
}
