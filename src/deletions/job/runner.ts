import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresUnavailable } from '../../common/errors/store-errors.js';
import { type Logger } from '../../common/logging/logger.js';
import { removeOldWarnings } from '../../events/removal/remove-old-warnings.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { LeaseLost, type Lease } from '../../stores/postgres/lease.js';
import { nextRequest, openProjects, recordError, startRequests, type OpenRequest } from './request-log.js';
import { beginRun, finishRun, type Run } from './run-log.js';
import { sweepLimits, sweepChunk, type SweepLimits } from './sweep.js';
import { verify } from './verify.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { type Work } from '../../stores/postgres/transaction.js';

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
  readonly limits?: SweepLimits;
  readonly freshWithinMs?: number;
}

const freshWithinMs = 60_000;
const lookAgainMs = 200;
/** The job waits for the projection when this many events are left to ship, so that questions never wait long for the job. */
const eventsAhead = 4000;
const patience = 5;
const warningRetentionMs = 90 * 24 * 60 * 60_000;

/**
 * Does one run of the job: chunk by chunk, one project after the other in turn, until the log has none of the events. Then it
 * counts what both stores have left. All its state is in PostgreSQL, so it can end anywhere and start again.
 */
export class DeletionRunner {
  private readonly failed = new Set<string>();
  private readonly stuck = new Map<string, { left: number; times: number }>();
  private ahead = 0;

  constructor(
    private readonly parts: RunnerParts,
    private readonly run: Run,
  ) {}

  async execute(): Promise<void> {
    await this.begin();
    do await this.sweepAll();
    while (await this.verifyAll());
    if (this.failed.size > 0) throw new Error(`${this.failed.size} deletion requests could not be finished yet`);
    if (this.run.reason !== 'second look') await this.removeOldWarnings();
    await this.asHolder((client) => finishRun(client, this.run.number, this.now()));
  }

  private async begin(): Promise<void> {
    await this.asHolder((client) => beginRun(client, this.run.number));
    for (const projectId of await openProjects(this.parts.postgres)) {
      await this.asHolder((client) => startRequests(client, projectId, this.run, this.now()));
    }
  }

  private async sweepAll(): Promise<void> {
    let projects = await openProjects(this.parts.postgres);
    while (projects.length > 0) {
      const unfinished: number[] = [];
      for (const projectId of projects) {
        if (await this.sweepOne(projectId)) unfinished.push(projectId);
      }
      projects = unfinished;
    }
  }

  /** Sweeps one chunk of the project's oldest request; returns false when nothing is left to sweep. */
  private async sweepOne(projectId: number): Promise<boolean> {
    const { postgres, lease, limits = sweepLimits, onDeleted, isFresh } = this.parts;
    const request = await this.next(projectId, 'sweep');
    if (!request) return false;
    await this.guarded(request, async () => {
      const removed = await sweepChunk({ postgres, lease, limits }, request, this.now());
      onDeleted(removed);
      this.ahead += removed;
    });
    if (this.ahead >= eventsAhead) {
      this.ahead = 0;
      await isFresh(projectId);
    }
    return true;
  }

  /** Returns whether any request must be swept or verified again. */
  private async verifyAll(): Promise<boolean> {
    let again = false;
    for (const projectId of await openProjects(this.parts.postgres)) {
      const seen: string[] = [];
      for (;;) {
        const request = await this.next(projectId, 'verify', seen);
        if (!request) break;
        await this.guarded(request, async () => {
          if (seen.length === 0) await this.untilFresh(projectId);
          const left = await verify(this.parts, request, this.run, () => this.now());
          if (left > 0) this.demandProgress(request, left);
          again ||= left > 0;
        });
        seen.push(request.id);
      }
    }
    return again;
  }

  private demandProgress({ id }: OpenRequest, left: number): void {
    const before = this.stuck.get(id);
    const times = before && left >= before.left ? before.times + 1 : 0;
    this.stuck.set(id, { left, times });
    if (times >= patience) throw new Error(`${left} events still exist after ${patience} attempts to delete them`);
  }

  private async untilFresh(projectId: number): Promise<void> {
    const deadline = Date.now() + (this.parts.freshWithinMs ?? freshWithinMs);
    while (!(await this.parts.isFresh(projectId))) {
      this.demandContinuing();
      if (Date.now() > deadline) throw new Error('ClickHouse has not received all changes yet');
      await sleep(lookAgainMs);
    }
  }

  private async removeOldWarnings(): Promise<void> {
    const before = new Date(this.now().getTime() - warningRetentionMs);
    const { rows } = await this.parts.postgres.query<{ id: number }>('SELECT id FROM projects ORDER BY id');
    for (const { id } of rows) {
      this.demandContinuing();
      await removeOldWarnings(this.parts.postgres, id, before);
    }
  }

  private next(projectId: number, step: 'sweep' | 'verify', except: readonly string[] = []) {
    this.demandContinuing();
    return nextRequest(this.parts.postgres, projectId, step, [...this.failed, ...except]);
  }

  /** A failure of one request must not keep the others from being deleted. */
  private async guarded(request: OpenRequest, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error) || isFatal(error)) throw error;
      const { projectId: project, id } = request;
      this.parts.logger.warn({ err: error, project, request: id }, 'a deletion request must be retried');
      this.failed.add(id);
      await recordError(this.parts.postgres, request, error.message);
    }
  }

  private now(): Date {
    return this.parts.postgres.clock.now();
  }

  private demandContinuing(): void {
    if (this.parts.isStopping()) throw new Stopped('The process is stopping');
    this.parts.lease.check();
  }

  private asHolder(work: Work<void>): Promise<void> {
    return this.parts.postgres.transaction(async (client, last) => {
      await this.parts.lease.confirm(client);
      await work(client, last);
    });
  }
}

const isFatal = (error: Error): boolean =>
  error instanceof LeaseLost || error instanceof Stopped || isPostgresUnavailable(error);
