import { WorkEnded } from '../platform/errors/work-ended.js';
import { isPostgresUnavailable } from '../platform/errors/store-errors.js';
import { type Lease } from '../platform/postgres/lease.js';
import { type Postgres } from '../platform/postgres/postgres.js';
import { type Work } from '../platform/postgres/transaction.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../platform/telemetry/logger.js';
import { type ClickHouse } from '../platform/clickhouse/client.js';

export interface LeasedParts {
  readonly postgres: Postgres;
  readonly lease: Lease;
  readonly isStopping: () => boolean;
}

/** Checks between steps of work that the lease is held and the process is not stopping; otherwise throws. */
export class LeasedSteps {
  constructor(private readonly under: LeasedParts) {}

  now(): Date {
    return this.under.postgres.clock.now();
  }

  assertContinuing(): void {
    if (this.under.isStopping()) throw new WorkEnded('The process is stopping');
    this.under.lease.check();
  }

  asHolder<T>(work: Work<T>): Promise<T> {
    return this.under.postgres.transaction(async (client, last) => {
      await this.under.lease.confirm(client);
      return work(client, last);
    });
  }
}

/** True if the error ends the whole run, and not only the part that failed. */
export const endsRun = (error: Error): boolean => error instanceof WorkEnded || isPostgresUnavailable(error);

export interface SweepLimits {
  readonly events: number;
  readonly distinctIds: number;
  /** The number of events of the log that one step searches for expired ones. */
  readonly walked: number;
}

/** A chunk keeps ClickHouse busy for less than a second, because questions wait for it. */
export const sweepLimits: SweepLimits = { events: 2000, distinctIds: 1000, walked: 20_000 };

export interface RunnerParts extends LeasedParts {
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  /** Waits briefly for ClickHouse to receive all changes of a project, and returns whether it did. */
  readonly isFresh: (projectId: number) => Promise<boolean>;
  readonly onDeleted: (events: number) => void;
  readonly onExpired?: (events: number) => void;
  readonly limits?: SweepLimits;
  readonly freshWithinMs?: number;
}

const freshWithinMs = 60_000;
const lookAgainMs = 200;
/** The job waits for the projection after it has removed this many events, so that questions never wait long for the job. */
const eventsAhead = 4000;
const patience = 5;

/**
 * Checks between steps of a run that the lease is held and the process is not stopping, and slows the run down while ClickHouse
 * lags.
 */
export class RunSteps extends LeasedSteps {
  private readonly stuck = new Map<string, { remaining: number; times: number }>();
  private ahead = 0;

  constructor(private readonly parts: RunnerParts) {
    super(parts);
  }

  /** Waits for ClickHouse once enough events were removed. Must be called after each chunk. */
  async keepPace(projectId: number, removed: number): Promise<void> {
    this.ahead += removed;
    if (this.ahead < eventsAhead) return;
    this.ahead = 0;
    await this.parts.isFresh(projectId);
  }

  async untilFresh(projectId: number): Promise<void> {
    const deadline = Date.now() + (this.parts.freshWithinMs ?? freshWithinMs);
    while (!(await this.parts.isFresh(projectId))) {
      this.assertContinuing();
      if (Date.now() > deadline) throw new Error('ClickHouse has not received all changes yet');
      await sleep(lookAgainMs);
    }
  }

  assertProgress(id: string, remaining: number): void {
    const before = this.stuck.get(id);
    const times = before && remaining >= before.remaining ? before.times + 1 : 0;
    this.stuck.set(id, { remaining, times });
    if (times >= patience) throw new Error(`${remaining} events still exist after ${patience} attempts to delete them`);
  }
}
