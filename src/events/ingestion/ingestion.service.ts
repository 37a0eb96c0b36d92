import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { IngestionCounts } from './ingestion-counts.js';
import { type IngestionDto, toIngestionDto } from './ingestion.dto.js';
import { readCounts } from './ingestion-counts.repository.js';

@Injectable()
export class IngestionService {
  constructor(
    private readonly postgres: Postgres,
    private readonly counts: IngestionCounts,
  ) {}

  /**
   * Returns the counts, including all requests that this process has answered. Other processes store their counts every few
   * seconds.
   */
  async get(project: ProjectContext): Promise<IngestionDto> {
    await this.counts.store();
    const { counts, libraries } = await readCounts(this.postgres, project.id);
    return toIngestionDto(counts, libraries);
  }
}
