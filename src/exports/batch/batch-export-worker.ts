import { Inject, Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { CurrentMembers } from '../../kernel/memberships/current-members.js';
import { FreshData } from '../../kernel/projection/fresh-data.js';
import { Projection } from '../../kernel/projection/projection.js';
import { shippedPosition } from '../../kernel/projection/shipped-position.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Config } from '../../platform/config/config.js';
import { Problem, unavailable } from '../../platform/errors/problem.js';
import { WorkEnded } from '../../platform/errors/work-ended.js';
import { guardedFetch } from '../../platform/http/guarded-fetch.js';
import { publicNames, systemNames } from '../../platform/http/resolve.js';
import { BucketObjects } from '../../platform/objects/bucket-objects.js';
import { StorageFault, type ObjectStore } from '../../platform/objects/object-store.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { startCountedRun } from '../../platform/telemetry/background-runs.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { ActiveProjects, ProjectRotation } from '../../platform/work/active-projects.js';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import {
  type BatchFailure,
  batchLeaseName,
  forgetOldRuns,
  nextBatchExports,
  recordAttempt,
  recordBatchFailure,
  recordPosition,
  recordWritten,
} from './batch-export-records.js';
import { type BatchPosition } from './batch-export.entity.js';
import { BatchExportsRepository, type BatchExportRow } from './batch-exports.repository.js';
import { addressOfBucket, type BucketConfig } from './bucket-config.js';
import { CohortGone, partitionParts } from './partition-parts.js';
import { writePartition } from './partition-writer.js';
import { lastPeriod, closingMs, type Period, periodFrom } from './periods.js';

const ttlMs = 15_000;
const forgetEveryMs = 3_600_000;
/** The server of a user must not hold up the batch exports of others for long. */
const attemptsOfRequest = 2;

interface Writing {
  readonly project: ProjectContext;
  readonly row: BatchExportRow;
  readonly period: Period;
  readonly lease: Lease;
  readonly stopping: AbortSignal;
}

/** Writes the partitions whose time has come, in rotation between the projects, each under a lease. */
@Injectable()
export class BatchExportWorker {
  readonly worker: Worker;
  private readonly rotation = new ProjectRotation();
  private readonly fresh: FreshData;
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    projection: Projection,
    private readonly members: CurrentMembers,
    private readonly active: ActiveProjects,
    private readonly rows: BatchExportsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.fresh = new FreshData(projection);
    this.sole = config.databaseUrl === null;
    this.worker = workers.add({
      name: 'batch exports',
      warning: 'batch exports cannot be looked for at the moment',
      round: () => this.round(postgres.clock.now(), this.worker.stopping),
    });
    workers.every(forgetEveryMs, {
      name: 'old runs of batch exports',
      warning: 'old runs of batch exports could not be removed and are removed later',
      run: () => forgetOldRuns(postgres, postgres.clock.now()),
    });
  }

  wake(): void {
    this.worker.wake();
  }

  /** Writes one partition that is due at a moment. Returns null if there was none. */
  async round(now: Date, stopping: AbortSignal): Promise<number | null> {
    const { postgres, sole, rotation } = this;
    const due = await nextBatchExports(postgres, now, rotation.held, !sole);
    const worked = await rotation.workOnOne(
      due.map((key) => ({ projectId: key.project_id, key })),
      ({ key }) => new Lease(postgres, batchLeaseName(key), { ttlMs, sole }),
      async ({ key }, lease) => {
        const project = await findProject(postgres, key.project_id);
        if (!project) return;
        const row = await this.rows.find(project, key.id);
        await this.attempt({ project, row, period: periodOf(row, now), lease, stopping });
      },
    );
    return worked ? 0 : null;
  }

  private async attempt(writing: Writing): Promise<void> {
    const { row, period, lease, stopping } = writing;
    const end = startCountedRun('batch_exports');
    try {
      await this.write(writing);
      end('done');
    } catch (error) {
      if (error instanceof WorkEnded || stopping.aborted) throw error;
      const failure = failureOf(error);
      end(error instanceof StorageFault || failure.isFinal ? 'refused' : 'failed');
      const about = { project: row.project_id, batchExport: row.id };
      this.logger.warn({ ...about, err: error }, 'a partition could not be written; it is tried again');
      const reason = await recordBatchFailure(this.postgres, lease, row, period, failure);
      if (reason !== null)
        this.logger.warn({ ...about, reason }, 'a batch export was paused; resume it when its bucket works');
    }
  }

  private async write(writing: Writing): Promise<void> {
    const { postgres, clickhouse, members, active } = this;
    const { project, row, period, lease, stopping } = writing;
    const attempt = await recordAttempt(postgres, lease, row, period);
    if (!attempt) return;
    const asking = { ...project, signal: stopping };
    const position = row.model === 'events' ? (attempt.known ?? (await this.positionOf(writing))) : null;
    if (row.model !== 'events') await this.untilFresh(writing);
    if (position && !attempt.known && !(await recordPosition(postgres, lease, row, period, position))) return;
    const partition = { project: asking, row, period, position };
    const parts = active.pace(project.id).each(partitionParts({ postgres, clickhouse, members }, partition));
    const written = await writePartition(this.bucketOf(row.destination), partition, parts, () => {
      stopping.throwIfAborted();
      lease.check();
    });
    await recordWritten(postgres, lease, row, period, { position, written });
  }

  private async untilFresh({ project, stopping }: Writing): Promise<void> {
    const now = this.postgres.clock.now();
    const asOf = await this.fresh.until(project, now, stopping);
    if (asOf < now) throw unavailable('ClickHouse does not have all events yet');
  }

  private async positionOf(writing: Writing): Promise<BatchPosition> {
    await this.untilFresh(writing);
    const shipped = await shippedPosition(this.postgres, this.clickhouse, writing.project);
    return { before: writing.period.end.toISOString(), ...shipped };
  }

  private bucketOf(config: BucketConfig): ObjectStore {
    const { webhookAllowPrivate: allowPrivate } = this.config;
    const s3 = {
      keyId: config.aws_access_key_id,
      secret: config.aws_secret_access_key,
      sessionToken: null,
      region: config.region,
      endpoint: config.endpoint_url === null ? null : new URL(config.endpoint_url),
    };
    const fetchSigned = guardedFetch({ resolve: allowPrivate ? systemNames : publicNames, allowPrivate });
    return new BucketObjects(addressOfBucket(config), s3, { fetchSigned, attempts: attemptsOfRequest });
  }
}

/** The first period without a partition; of persons, who are written as they are now, the last one that has ended. */
const periodOf = (row: BatchExportRow, now: Date): Period => {
  const next = periodFrom(row.next_start, row.interval);
  if (row.model === 'events') return next;
  const last = lastPeriod(new Date(now.getTime() - closingMs), row.interval);
  return last.start > next.start ? last : next;
};

/** Returns the reason that the owner of the batch export reads. */
const failureOf = (error: unknown): BatchFailure => {
  if (error instanceof CohortGone) return { error: error.message, isFinal: true };
  // The variables of the operator's own buckets have the names of the fields, in capital letters.
  if (error instanceof StorageFault)
    return { error: error.message.replaceAll(/AWS_ENDPOINT_URL|AWS_REGION|AWS_\w+/g, fieldOf), isFinal: false };
  if (error instanceof Problem && error.status < 500) return { error: error.detail, isFinal: false };
  return { error: 'A store could not be reached, or does not have all events yet', isFinal: false };
};

const fieldOf = (variable: string): string =>
  ['AWS_ENDPOINT_URL', 'AWS_REGION'].includes(variable)
    ? variable.slice('AWS_'.length).toLowerCase()
    : variable.toLowerCase();
