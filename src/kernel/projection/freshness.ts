import { performance } from 'node:perf_hooks';
import { type Signal } from '../../platform/work/signal.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { collectOutbox } from './outbox/outbox.js';

/** The oldest row of the outbox for which a question waits. */
interface OldestRow {
  readonly created_at: Date;
}

interface Waiter {
  readonly projectId: number;
  readonly id: string;
  readonly deadline: number;
  readonly resolve: (oldest: OldestRow | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** The outbox is looked at this often, because it alone shows the progress of another process that ships. */
const pollMs = 15;
/** Used instead of `pollMs` when a signal comes at the end of each shipment. */
const pollBesideBellMs = 100;
/**
 * ClickHouse is checked after a wait of this length. Together with the check, it is short enough for a 503 within two seconds.
 */
const lookAfterMs = 250;

const oldestOf = (waiters: readonly Waiter[]): PgSql => {
  const [projects, ids] = [waiters.map(({ projectId }) => projectId), waiters.map(({ id }) => id)];
  return pgSql`
    SELECT (SELECT o.created_at FROM outbox AS o WHERE o.project_id = w.project_id AND o.id <= w.id ORDER BY o.id LIMIT 1) AS created_at
    FROM unnest(${bound(projects)}::integer[], ${bound(ids)}::bigint[]) WITH ORDINALITY AS w (project_id, id, place)
    ORDER BY w.place`.named('projection-oldest');
};

/** Looks at the outbox for all questions of this process that wait for rows to be shipped, with one statement in each round. */
export class OutboxWatch {
  private readonly waiters = new Set<Waiter>();
  private running = false;

  constructor(
    private readonly postgres: Queryable,
    /** Notified when rows have arrived in ClickHouse. */
    private readonly shipped: Signal,
    /** True if the signal comes for shipments of all processes. */
    private readonly hearsAll: () => boolean,
    /** Throws when ClickHouse is away: then nothing will be shipped, and no question answered. */
    private readonly requireEngine: () => Promise<void>,
  ) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /** Returns the oldest row up to `id` that remains at the deadline; undefined if all were shipped before. */
  untilShipped(projectId: number, id: string, deadline: number): Promise<OldestRow | undefined> {
    return new Promise((resolve, reject) => {
      const waiter = { projectId, id, deadline, resolve, reject };
      this.waiters.add(waiter);
      // Looks for this question at once, because the loop may be in a pause.
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

export interface Freshness {
  /** The answer contains everything acknowledged up to this moment. */
  readonly asOf: Date;
  /** True if the answer contains everything acknowledged before the question. */
  readonly complete: boolean;
  /** Changes whenever rows have arrived in ClickHouse. `shipmentsUpTo` reads it. */
  readonly position: string;
}

interface NewestRow {
  readonly id: string | null;
  readonly parked: boolean;
  readonly position: string | null;
}

/**
 * A text that changes whenever rows have arrived in ClickHouse. Several processes complete their shipments in any order, so the
 * largest number need not change with each shipment, and smaller ones may still be open.
 */
const positionSql = pgSql`
  SELECT concat(least(last_shipment, (SELECT min(number) - 1 FROM shipments)), ' ', xmin) AS position
  FROM projection_state WHERE id = 1`;

export const readPosition = async (postgres: Queryable): Promise<string> => {
  const { rows } = await postgres.query<{ position: string }>(positionSql.named('projection-position'));
  return rows[0]?.position ?? '';
};

const newestOf = (projectId: number): PgSql =>
  pgSql`
    SELECT max(id) AS id, EXISTS (SELECT 1 FROM shipments WHERE project_id = ${bound(projectId)} AND parked_at IS NOT NULL) AS parked,
      (${positionSql}) AS position
    FROM outbox WHERE project_id = ${bound(projectId)}`.named('projection-newest');

/** Lets questions wait for all data written before them. */
export class FreshnessGate {
  private readonly outbox: OutboxWatch;

  constructor(
    private readonly postgres: Postgres,
    private readonly signals: {
      /** Wakes the worker of this process: rows are waiting. */
      readonly work: Signal;
      /** Notified when rows have arrived in ClickHouse. */
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
    const { rows } = await this.postgres.query<NewestRow>(newestOf(projectId));
    const { id = null, parked = false, position = null } = rows[0] ?? {};
    if (id === null) return { asOf: now, complete: true, position: position ?? '' };
    // A project with a parked shipment is not waited for, because its rows do not come by themselves.
    const until = parked ? 0 : deadline;
    this.signals.work.notify();
    this.wakeOthers();
    const oldest = await this.outbox.untilShipped(projectId, id, until);
    const asOf = oldest && oldest.created_at < now ? oldest.created_at : now;
    return { asOf, complete: !oldest, position: await readPosition(this.postgres) };
  }
}
