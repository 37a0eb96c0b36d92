import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ActiveProjects } from '../../../common/background/active-projects.js';
import { Signal } from '../../../common/background/signal.js';
import { type Author } from '../../../common/author.js';
import { notFound } from '../../../common/errors/problem.js';
import { isUuid } from '../../../common/ids.js';
import { LOGGER, type Logger } from '../../../common/logging/logger.js';
import { type ProjectContext } from '../../../common/project-context.js';
import { Config } from '../../../config/config.js';
import { MemberMoves } from '../../../persons/member-moves.js';
import { Projection } from '../../../projection/projection.js';
import { Postgres } from '../../../stores/postgres/postgres.js';
import { type ImportOptions } from '../record.js';
import { findJob } from './job-rows.js';
import { JobWorker } from './job-worker.js';
import { type ImportJobDto, toImportJob } from './job.dto.js';
import { receiveJob } from './receive.js';

/** Imports that go on without their client. */
@Injectable()
export class ImportJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queued = new Signal();
  private readonly worker: JobWorker | null;

  constructor(
    config: Config,
    private readonly postgres: Postgres,
    members: MemberMoves,
    projection: Projection,
    active: ActiveProjects,
    @Inject(LOGGER) logger: Logger,
  ) {
    const beginImport = () => projection.beginImport();
    const onWritten = () => projection.wake();
    this.worker = config.worksInBackground
      ? new JobWorker({ postgres, members, logger, active, work: this.queued, beginImport, onWritten })
      : null;
  }

  onApplicationBootstrap(): void {
    this.worker?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker?.stop();
  }

  /** Resolves when every line is stored. */
  async receive(
    project: ProjectContext,
    bytes: AsyncIterable<Buffer>,
    options: ImportOptions,
    author: Author,
  ): Promise<ImportJobDto> {
    const { id } = await receiveJob(this.postgres, project.id, bytes, options, author);
    const answer = await this.get(project, id);
    this.queued.notify();
    return answer;
  }

  async get(project: ProjectContext, id: string): Promise<ImportJobDto> {
    const job = isUuid(id) ? await findJob(this.postgres, { projectId: project.id, id }) : null;
    if (!job) throw notFound(`there is no import ${id}`);
    return toImportJob(job);
  }
}
