import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { CohortsRepository } from '../record/cohorts.repository.js';
import { toUploadReport, type UploadReportDto } from '../record/upload.dto.js';
import { findUpload } from '../record/uploads.repository.js';

/** Reports the results of uploads. */
@Injectable()
export class UploadReports {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: CohortsRepository,
  ) {}

  async get(project: ProjectContext, id: number): Promise<UploadReportDto> {
    const { is_static } = await this.rows.find(project, id);
    const upload = await findUpload(this.postgres, project.id, id);
    if (upload) return toUploadReport(upload);
    throw notFound(
      is_static
        ? `no members were uploaded to cohort ${id}`
        : `cohort ${id} is dynamic: its members are calculated, not uploaded`,
    );
  }
}
