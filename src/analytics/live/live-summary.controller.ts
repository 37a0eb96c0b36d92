import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { LiveSummaryDto } from './live-summary.dto.js';
import { LiveSummaryService } from './live-summary.service.js';

@ApiTags('Events')
@Controller('api/projects/:project_id/events/live/summary')
export class LiveSummaryController {
  constructor(private readonly summary: LiveSummaryService) {}

  @Get()
  @RequiresScope('event:read', 'person:read')
  @ApiOperation({
    operationId: 'getLiveSummary',
    summary: 'The events of the last thirty minutes, and who was active in the last five',
  })
  @ApiOkResponse({ type: LiveSummaryDto })
  get(@CurrentProject() project: ProjectContext, @Now() now: Date): Promise<LiveSummaryDto> {
    return this.summary.get(project, now);
  }
}
