import { Injectable } from '@nestjs/common';
import { type Author } from '../../../kernel/access/author.js';
import { notFound } from '../../../platform/errors/problem.js';
import { isUuid } from '../../../platform/values/ids.js';
import { type ProjectContext } from '../../../kernel/access/project-context.js';
import { Postgres } from '../../../platform/postgres/postgres.js';
import { type ImportOptions } from '../record.js';
import { findJob } from './import-jobs.repository.js';
import { JobWorker } from './job-worker.js';
import { type ImportJobDto, toImportJob } from './job.dto.js';
import { receiveJob } from './receive.js';

/** Receives imports that are done in the background, without their client. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly postgres: Postgres,
    private readonly worker: JobWorker,
  ) {}

  /** Stores the lines of a job. Resolves when every line is stored. */
  async receive(
    project: ProjectContext,
    bytes: AsyncIterable<Buffer>,
    options: ImportOptions,
    author: Author,
  ): Promise<ImportJobDto> {
    const { id } = await receiveJob(this.postgres, project.id, bytes, options, author);
    const answer = await this.get(project, id);
    this.worker.wake();
    return answer;
  }

  async get(project: ProjectContext, id: string): Promise<ImportJobDto> {
    const job = isUuid(id) ? await findJob(this.postgres, { projectId: project.id, id }) : null;
    if (!job) throw notFound(`there is no import ${id}`);
    return toImportJob(job);
  }
}
