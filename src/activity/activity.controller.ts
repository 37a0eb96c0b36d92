import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { ApiActivityResponse } from './activity-answer.js';
import { ActivityRepository } from './log/activity.repository.js';
import { required } from '../platform/errors/problem.js';
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
    const { scope, item_id: itemId } = query;
    if (itemId !== undefined && scope === undefined) throw required('scope', 'the kind of the item that item_id names');
    const subject = { ...(scope && { scope }), ...(itemId !== undefined && { itemId }) };
    return sendActivity(request, response, this.log, project, subject, query);
  }
}
