import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { GroupId, GroupIdParam } from '../kernel/groups/group-id.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { CohortDto } from './cohort.dto.js';
import { GroupCohortsQuery } from './record/cohort-queries.dto.js';
import { PersonCohortsService } from './record/person-cohorts.service.js';

@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class GroupCohortsController {
  constructor(private readonly cohorts: PersonCohortsService) {}

  @Get(':id/cohorts')
  @RequiresScope('group:read', 'cohort:read')
  @GroupIdParam()
  @ApiOperation({ operationId: 'listGroupCohorts', summary: 'The cohorts of which a group is a member now' })
  @ApiOkResponse({ type: PageDto(CohortDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: GroupCohortsQuery,
    @Now() now: Date,
  ): Promise<Page<CohortDto>> {
    return pageOf(request, query, await this.cohorts.ofGroup(project, id, query, now));
  }
}
