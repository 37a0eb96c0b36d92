import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentCaller, Now, RequiresScope } from '../../kernel/access/access.js';
import { type Caller } from '../../kernel/access/caller.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { ProjectCostDto } from './project-cost.dto.js';
import { ProjectCosts } from './project-costs.js';

@ApiTags('Projects')
@Controller('api/project_costs')
export class ProjectCostsController {
  constructor(private readonly costs: ProjectCosts) {}

  @Get()
  @RequiresScope('project:read')
  @ApiOperation({
    operationId: 'listProjectCosts',
    summary: 'What the projects that the key opens take of ClickHouse, the most expensive first',
    description:
      'By questions, exports and calculations of cohorts, in the present hour and the 23 before it. Processes store their sums ' +
      'every 10 s; a process that is killed loses those of its last seconds. A project without a statement is not in the list.',
  })
  @ApiOkResponse({ type: PageDto(ProjectCostDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
    @Now() now: Date,
  ): Promise<Page<ProjectCostDto>> {
    return pageOf(request, page, await this.costs.list(caller, page, now));
  }
}
