import { performance } from 'node:perf_hooks';
import { type Signal } from '../../../common/background/signal.js';
import { type ActiveProjects } from '../../../common/background/active-projects.js';
import { ahead } from '../../../common/background/ahead.js';
import { keepRunning } from '../../../common/background/keep-running.js';
import { within } from '../../../common/background/within.js';
import { problemOfPostgresError } from '../../../common/errors/store-errors.js';
import { type Logger } from '../../../common/logging/logger.js';
import { beginCountedRun } from '../../../common/metrics/background-runs.js';
import { type MemberMoves } from '../../../persons/member-moves.js';
import { type Lease, LeaseLost } from '../../../stores/postgres/lease.js';
import { type Postgres } from '../../../stores/postgres/postgres.js';
import { readLines, takeLines } from '../import-run.js';
import { stoppedByQuota } from '../stopped-by-quota.js';
import { finish } from './finish.js';
import { leaseOf } from './job-lease.js';
import {
  findJob,
  forgetFinishedJobs,
  type JobRef,
  type JobRow,
  nextPiece,
  type Piece,
  countFailure,
  unfinishedJobs,
} from './job-rows.js';
import { JobWriter } from './job-writer.js';
import { unpackLines } from './pieces.js';

export interface JobWorkerParts {
  readonly postgres: Postgres;
  readonly members: MemberMoves;
  readonly logger: Logger;
  readonly active: ActiveProjects;
  /** Notifies when a job is queued. */
  readonly work: Signal;
  /** Called before work on a job; returns a function that ends it. */
  readonly beginImport: () => () => void;
  /** Called after each commit. */
  readonly onWritten: () => void;
}

type ReadPiece = Omit<Piece, 'lines'> & { readonly lines: Awaited<ReturnType<typeof readLines>> };

const idleMs = 1_000;
const stopMs = 3_000;
/** After this long the jobs of other projects get their turn. */
const turnMs = 5_000;
const housekeepingMs = 60_000;
const maxFailures = 5;
export const keptDays = 30;

/** Works on queued imports for as long as this process runs: one at a time, project after project, each under a lease. */
export class JobWorker {
  private readonly turns = new Map<number, number>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private cleanedAt = -Infinity;

  constructor(private readonly parts: JobWorkerParts) {}

  start(): void {
    this.running ??= keepRunning({
      name: 'imports',
      logger: this.parts.logger,
      run: () => this.run(),
      isStopping: () => this.stopping.signal.aborted,
    });
  }

  /** An unfinished import stays queued, and the next process continues it. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process that imports is stopping'));
    this.parts.work.notify();
    if (this.running) await within(stopMs, this.running);
  }

  private async run(): Promise<void> {
    const { work, logger } = this.parts;
    let warned = false;
    while (!this.stopping.signal.aborted) {
      const since = work.count;
      try {
        await this.housekeeping();
        if (!(await this.turn())) await work.waitForNext(idleMs, since);
        warned = false;
      } catch (error) {
        if (!warned) logger.warn({ err: error }, 'imports cannot be continued at the moment');
        warned = true;
        await work.waitForNext(idleMs, work.count);
      }
    }
  }

  private async housekeeping(): Promise<void> {
    if (performance.now() - this.cleanedAt < housekeepingMs) return;
    this.cleanedAt = performance.now();
    await forgetFinishedJobs(
      this.parts.postgres,
      new Date(this.parts.postgres.clock.now().getTime() - keptDays * 86_400_000),
    );
  }

  /** Works on one job of the project whose last turn was the longest ago. Returns whether there was one. */
  private async turn(): Promise<boolean> {
    const { postgres } = this.parts;
    const turnOf = ({ projectId }: JobRef) => this.turns.get(projectId) ?? -Infinity;
    const jobs = await unfinishedJobs(postgres);
    for (const job of jobs.sort((a, b) => turnOf(a) - turnOf(b))) {
      const lease = leaseOf(postgres, job);
      if (!(await lease.acquire())) continue;
      this.turns.set(job.projectId, performance.now());
      try {
        await this.work(job, lease);
      } finally {
        await lease.release().catch(() => undefined);
      }
      return true;
    }
    return false;
  }

  private async work(ref: JobRef, lease: Lease): Promise<void> {
    // Read under the lease: another process may have finished the job meanwhile.
    const job = await findJob(this.parts.postgres, ref);
    if (!job || job.finished_at) return;
    const abandoned = abandonedBy(job);
    if (abandoned !== null) {
      await this.finish(ref, lease, abandoned);
      return;
    }
    const endImport = this.parts.beginImport();
    const endRun = beginCountedRun('imports');
    try {
      await this.advance(job, ref, lease);
      endRun('done');
    } catch (error) {
      if (error instanceof LeaseLost || this.stopping.signal.aborted) return;
      endRun(stoppedByQuota(error) === null ? 'failed' : 'refused');
      await this.failed(ref, lease, error);
    } finally {
      endImport();
    }
  }

  private async advance(job: JobRow, ref: JobRef, lease: Lease): Promise<void> {
    const { postgres, members, active, onWritten } = this.parts;
    const options = { applyPersonProperties: job.apply_person_properties, createPersons: job.create_persons };
    const pace = active.pace(ref.projectId);
    const until = performance.now() + turnMs;
    const read = async (behind: number): Promise<ReadPiece | null> => {
      const piece = await nextPiece(postgres, ref, behind);
      return piece && { ...piece, lines: await readLines(await unpackLines(piece.lines), options, job.created_at) };
    };
    let next = ahead(() => read(-1));
    while (!this.stopping.signal.aborted && performance.now() < until) {
      const piece = await next;
      if (!piece) {
        await this.finish(ref, lease, null);
        return;
      }
      // Read while PostgreSQL writes this one. It stays stored until it is written itself.
      next = ahead(() => read(piece.position));
      const writer = new JobWriter({ postgres, members, lease }, ref, job.created_at, piece.position);
      await takeLines(writer, piece.lines, piece.received_at);
      onWritten();
      await pace.step();
    }
  }

  /**
   * A store that is down says nothing about the job, and a quota that is used up ends it: its lines would wait for a day. Other
   * failures are counted, so that a job cannot fail for ever.
   */
  private async failed(ref: JobRef, lease: Lease, error: unknown): Promise<void> {
    const { postgres, logger } = this.parts;
    const stopped = stoppedByQuota(error);
    if (stopped !== null) return this.finish(ref, lease, stopped.detail);
    const known = error instanceof Error ? problemOfPostgresError(error) : null;
    if (known?.code === 'unavailable') throw error;
    const failures = await countFailure(postgres, ref);
    logger.error({ project: ref.projectId, import: ref.id, failures, err: error }, 'an import failed');
    if (failures < maxFailures) throw error;
    const detail = known?.detail ?? 'something went wrong on our side';
    await this.finish(ref, lease, `${detail}; the lines before are stored`);
  }

  private async finish(ref: JobRef, lease: Lease, error: string | null): Promise<void> {
    const { postgres, logger } = this.parts;
    await finish(postgres, lease, ref, error, postgres.clock.now());
    logger.info({ project: ref.projectId, import: ref.id, error }, 'an import has ended');
  }
}

/** Returns why the job cannot go on without the process that began it; null for a job whose lines are all stored. */
const abandonedBy = ({ source, status }: JobRow): string | null => {
  if (source === 'file')
    return 'the command ended before the file was read; what is counted is stored. Run it again: events with a uuid are not stored twice';
  return status === 'receiving' ? 'the process ended before the body had arrived; nothing of it is stored' : null;
};
