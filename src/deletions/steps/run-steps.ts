import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresUnavailable } from '../../common/errors/store-errors.js';
import { type Logger } from '../../common/logging/logger.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { LeaseLost, type Lease } from '../../stores/postgres/lease.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { type Work } from '../../stores/postgres/transaction.js';
import { type SweepLimits } from './sweep-limits.js';

/** Thrown when the process ends; the next process continues the run. */
export class Stopped extends Error {}

export interface RunnerParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly lease: Lease;
  readonly logger: Logger;
  /** Waits briefly for ClickHouse to receive all changes of a project, and returns whether it did. */
  readonly isFresh: (projectId: number) => Promise<boolean>;
  readonly isStopping: () => boolean;
  readonly onDeleted: (events: number) => void;
  readonly onExpired?: (events: number) => void;
  readonly limits?: SweepLimits;
  readonly freshWithinMs?: number;
}

const freshWithinMs = 60_000;
const lookAgainMs = 200;
/** The job waits for the projection when this many events are left to ship, so that questions never wait long for the job. */
const eventsAhead = 4000;
const patience = 5;

/** What every step of a run observes: the lease, the end of the process, and how far ClickHouse is behind. */
export class RunSteps {
  private readonly stuck = new Map<string, { left: number; times: number }>();
  private ahead = 0;

  constructor(private readonly parts: RunnerParts) {}

  now(): Date {
    return this.parts.postgres.clock.now();
  }

  demandContinuing(): void {
    if (this.parts.isStopping()) throw new Stopped('The process is stopping');
    this.parts.lease.check();
  }

  asHolder<T>(work: Work<T>): Promise<T> {
    return this.parts.postgres.transaction(async (client, last) => {
      await this.parts.lease.confirm(client);
      return work(client, last);
    });
  }

  /** Called after each chunk. */
  async keepPace(projectId: number, removed: number): Promise<void> {
    this.ahead += removed;
    if (this.ahead < eventsAhead) return;
    this.ahead = 0;
    await this.parts.isFresh(projectId);
  }

  async untilFresh(projectId: number): Promise<void> {
    const deadline = Date.now() + (this.parts.freshWithinMs ?? freshWithinMs);
    while (!(await this.parts.isFresh(projectId))) {
      this.demandContinuing();
      if (Date.now() > deadline) throw new Error('ClickHouse has not received all changes yet');
      await sleep(lookAgainMs);
    }
  }

  demandProgress(id: string, left: number): void {
    const before = this.stuck.get(id);
    const times = before && left >= before.left ? before.times + 1 : 0;
    this.stuck.set(id, { left, times });
    if (times >= patience) throw new Error(`${left} events still exist after ${patience} attempts to delete them`);
  }
}

/** Whether the whole run must end, rather than the part of it that failed. */
export const endsRun = (error: Error): boolean =>
  error instanceof LeaseLost || error instanceof Stopped || isPostgresUnavailable(error);
