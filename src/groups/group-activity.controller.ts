import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiActivityResponse } from '../activity/activity-answer.js';
import { ActivityQuery } from '../activity/activity.dto.js';
import { CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { GroupId, GroupIdParam } from '../kernel/groups/group-id.js';
import { type Page, PageDto, PageQuery, pageOf } from '../platform/http/page.dto.js';
import { GroupActivity } from './reading/group-activity.js';
import { GroupChangeDto } from './timeline/group-history.dto.js';
import { GroupHistoryService, maxDescribingEvents } from './timeline/group-history.service.js';

@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class GroupActivityController {
  constructor(
    private readonly activities: GroupActivity,
    private readonly history: GroupHistoryService,
  ) {}

  @Get(':id/activity')
  @RequiresScope('activity_log:read')
  @GroupIdParam()
  @ApiOperation({ operationId: 'listGroupActivity', summary: 'Changes of one group by hand, newest first' })
  @ApiActivityResponse()
  activity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    return this.activities.send(request, response, project, id, query);
  }

  @Get(':id/property_history')
  @RequiresScope('group:read')
  @GroupIdParam()
  @ApiOperation({
    operationId: 'getGroupPropertyHistory',
    summary: 'How the properties of a group changed, newest first',
    description: `Replayed from the events that describe the group, \`$groupidentify\`, also those before it was deleted and made again. Events that changed nothing are left out. A group with more than ${maxDescribingEvents.toLocaleString('en-US')} such events gets 400.`,
  })
  @ApiOkResponse({ type: PageDto(GroupChangeDto) })
  async propertyHistory(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: PageQuery,
    @Now() now: Date,
  ): Promise<Page<GroupChangeDto>> {
    return pageOf(request, query, await this.history.list(project, id, query, now));
  }
}
