import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ProjectQuotasDto } from './quota.dto.js';
import { QuotasService } from './quotas.service.js';

@ApiTags('Projects')
@Controller('api/projects/:project_id/quotas')
export class QuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get()
  @RequiresScope('project:read')
  @ApiOperation({
    operationId: 'getQuotas',
    summary: 'How much a project may have, and has',
    description:
      'Counted exactly. Where a day has no room for all new events of a request, or of a chunk of an import, capture and imports ' +
      'answer 429 and store none of them, with the seconds until 00:00 UTC in `Retry-After`. Events that are in the log already ' +
      'need no room, and events of edits in the API are not counted. `PATCH /api/projects/{project_id}` sets quotas.',
  })
  @ApiOkResponse({ type: ProjectQuotasDto })
  get(@CurrentProject() project: ProjectContext, @Now() now: Date): Promise<ProjectQuotasDto> {
    return this.quotas.get(project, now);
  }
}
