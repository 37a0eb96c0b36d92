import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { ApiActivityResponse } from './activity-answer.js';
import { ActivityRepository } from './log/activity.repository.js';
import { ProjectActivityQuery } from './activity.dto.js';
import { sendActivity } from './send-activity.js';

@ApiTags('Projects')
@Controller('api/projects/:project_id/activity')
export class ActivityController {
  constructor(private readonly log: ActivityRepository) {}

  @Get()
  @RequiresScope('activity_log:read')
  @ApiOperation({
    operationId: 'listProjectActivity',
    summary: 'All changes, imports and exports of a project, newest first',
    description:
      'Changes of persons, cohorts, actions and the project, imports with their counts, and each CSV answer as an export. ' +
      'Entries outlive their subjects and contain no values of persons. Keys belong to users: see `personal_api_keys/activity`.',
  })
  @ApiActivityResponse()
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ProjectActivityQuery,
  ): Promise<void> {
    return sendActivity(request, response, this.log, project, query.scope ? { scope: query.scope } : {}, query);
  }
}
