import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { IngestionDto } from './ingestion.dto.js';
import { IngestionService } from './ingestion.service.js';

@ApiTags('Events')
@Controller('api/projects/:project_id/ingestion')
export class IngestionController {
  constructor(private readonly ingestion: IngestionService) {}

  @Get()
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'getIngestion',
    summary: 'What became of the events that clients sent, and which SDKs sent them',
    description:
      'Counted since the project exists, without imports. Processes store their counts every 5 s; a process that is killed loses ' +
      'the counts of its last seconds, and no events.',
  })
  @ApiOkResponse({ type: IngestionDto })
  get(@CurrentProject() project: ProjectContext): Promise<IngestionDto> {
    return this.ingestion.get(project);
  }
}
