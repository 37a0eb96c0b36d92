import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { ActiveProjects, ProjectRotation } from '../../../platform/work/active-projects.js';
import { ahead } from '../../../platform/work/ahead.js';
import { WorkEnded } from '../../../platform/errors/work-ended.js';
import { type Worker } from '../../../platform/work/worker.js';
import { Workers } from '../../../platform/work/workers.js';
import { problemOfPostgresError } from '../../../platform/errors/store-errors.js';
import { LOGGER, type Logger } from '../../../platform/telemetry/logger.js';
import { startCountedRun } from '../../../platform/telemetry/background-runs.js';
import { MovedMembers } from '../../../kernel/memberships/moved-members.js';
import { Projection } from '../../../kernel/projection/projection.js';
import { type Lease } from '../../../platform/postgres/lease.js';
import { Postgres } from '../../../platform/postgres/postgres.js';
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
} from './import-jobs.repository.js';
import { JobWriter } from './job-writer.js';
import { unpackLines } from './pieces.js';

type ReadPiece = Omit<Piece, 'lines'> & { readonly lines: Awaited<ReturnType<typeof readLines>> };

/** After this time, the jobs of other projects are continued. */
const sliceMs = 5_000;
const forgetEveryMs = 60_000;
const dayMs = 86_400_000;
const maxFailures = 5;
export const jobLifetimeDays = 30;

/** Does queued imports one at a time, in rotation between the projects, each under a lease. Unfinished jobs stay queued. */
@Injectable()
export class JobWorker {
  private readonly rotation = new ProjectRotation();
  private readonly worker: Worker;

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    private readonly members: MovedMembers,
    private readonly projection: Projection,
    private readonly active: ActiveProjects,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const warning = 'imports cannot be continued at the moment';
    this.worker = workers.add({ name: 'imports', warning, round: () => this.round() });
    workers.every(forgetEveryMs, {
      name: 'finished imports',
      warning: 'finished imports could not be removed and are removed later',
      run: () => forgetFinishedJobs(postgres, new Date(postgres.clock.now().getTime() - jobLifetimeDays * dayMs)),
    });
  }

  wake(): void {
    this.worker.wake();
  }

  private async round(): Promise<number | null> {
    const worked = await this.rotation.workOnOne(
      await unfinishedJobs(this.postgres),
      (job) => leaseOf(this.postgres, job),
      (job, lease) => this.work(job, lease),
    );
    return worked ? 0 : null;
  }

  private async work(ref: JobRef, lease: Lease): Promise<void> {
    // The job is read again under the lease, because another process may have finished it meanwhile.
    const job = await findJob(this.postgres, ref);
    if (!job || job.finished_at) return;
    const abandoned = abandonedBy(job);
    if (abandoned !== null) {
      await this.finish(ref, lease, abandoned);
      return;
    }
    const endImport = this.projection.startImport();
    const endRun = startCountedRun('imports');
    try {
      await this.advance(job, ref, lease);
      endRun('done');
    } catch (error) {
      if (error instanceof WorkEnded || this.worker.stopping.aborted) return;
      endRun(stoppedByQuota(error) === null ? 'failed' : 'refused');
      await this.failed(ref, lease, error);
    } finally {
      endImport();
    }
  }

  private async advance(job: JobRow, ref: JobRef, lease: Lease): Promise<void> {
    const { postgres, members, active, projection } = this;
    const options = { applyPersonProperties: job.apply_person_properties, createPersons: job.create_persons };
    const pace = active.pace(ref.projectId);
    const until = performance.now() + sliceMs;
    const read = async (after: number): Promise<ReadPiece | null> => {
      const piece = await nextPiece(postgres, ref, after);
      return piece && { ...piece, lines: await readLines(await unpackLines(piece.lines), options, job.created_at) };
    };
    let next = ahead(() => read(-1));
    while (!this.worker.stopping.aborted && performance.now() < until) {
      const piece = await next;
      if (!piece) {
        await this.finish(ref, lease, null);
        return;
      }
      // The next piece is read while PostgreSQL writes the present one. It stays stored until it is written itself.
      next = ahead(() => read(piece.position));
      const writer = new JobWriter({ postgres, members, lease }, ref, job.created_at, piece.position);
      await takeLines(writer, piece.lines, piece.received_at);
      projection.wake();
      await pace.step();
    }
  }

  /**
   * Handles a failed attempt. An unavailable store is no fault of the job, so the job is retried. A used-up quota finishes the
   * job, whose lines would wait for a day. Other failures are counted, so that a job cannot fail for ever.
   */
  private async failed(ref: JobRef, lease: Lease, error: unknown): Promise<void> {
    const { postgres, logger } = this;
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
    const { postgres, logger } = this;
    await finish(postgres, lease, ref, error, postgres.clock.now());
    logger.info({ project: ref.projectId, import: ref.id, error }, 'an import has ended');
  }
}

/** Returns why the job cannot go on without the process that started it; null when all of its lines are stored. */
const abandonedBy = ({ source, status }: JobRow): string | null => {
  if (source === 'file')
    return 'the command ended before the file was read; what is counted is stored. Run it again: events with a uuid are not stored twice';
  return status === 'receiving' ? 'the process ended before the body had arrived; nothing of it is stored' : null;
};
