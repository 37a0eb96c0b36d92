import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiActivityResponse } from '../activity/activity-answer.js';
import { ActivityQuery } from '../activity/activity.dto.js';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { GroupId, GroupIdParam } from '../kernel/groups/group-id.js';
import { GroupActivity } from './reading/group-activity.js';

@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class GroupActivityController {
  constructor(private readonly activities: GroupActivity) {}

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
}
