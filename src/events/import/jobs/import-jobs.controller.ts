import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequiresScope } from '../../../kernel/access/access.js';
import { type ProjectContext } from '../../../kernel/access/project-context.js';
import { ImportJobs } from './import-jobs.js';
import { ImportJobDto } from './job.dto.js';
import { jobLifetimeDays } from './job-worker.js';

@ApiTags('Events')
@Controller('api/projects/:project_id/import')
export class ImportJobsController {
  constructor(private readonly jobs: ImportJobs) {}

  @Get(':id')
  @RequiresScope('project:read')
  @ApiParam({ name: 'id', format: 'uuid' })
  @ApiOperation({
    operationId: 'getImport',
    summary: 'The progress of an import that was sent with wait=0, or run as a command',
    description: `Finished imports are kept for ${jobLifetimeDays} days.`,
  })
  @ApiOkResponse({ type: ImportJobDto })
  get(@CurrentProject() project: ProjectContext, @Param('id') id: string): Promise<ImportJobDto> {
    return this.jobs.get(project, id);
  }
}
