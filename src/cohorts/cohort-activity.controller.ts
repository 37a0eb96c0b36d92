import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiActivityResponse } from '../activity/activity-answer.js';
import { ActivityQuery } from '../activity/activity.dto.js';
import { ActivityRepository } from '../activity/log/activity.repository.js';
import { sendActivity } from '../activity/send-activity.js';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { CohortId, CohortIdParam } from '../kernel/memberships/cohort-id.js';
import { CohortsRepository } from './record/cohorts.repository.js';

/** This controller is registered first, because `cohorts/:id` would capture `cohorts/activity`. */
@ApiTags('Cohorts')
@Controller('api/projects/:project_id/cohorts')
export class CohortActivityController {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly log: ActivityRepository,
  ) {}

  @Get('activity')
  @RequiresScope('activity_log:read')
  @ApiOperation({ operationId: 'listCohortsActivity', summary: 'Changes of all cohorts, newest first' })
  @ApiActivityResponse()
  activity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    return sendActivity(request, response, this.log, project, { scope: 'Cohort' }, query);
  }

  @Get(':id/activity')
  @RequiresScope('activity_log:read')
  @CohortIdParam()
  @ApiOperation({ operationId: 'listCohortActivity', summary: 'Changes of one cohort, newest first' })
  @ApiActivityResponse()
  async activityOf(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    await this.rows.find(project, id);
    await sendActivity(request, response, this.log, project, { scope: 'Cohort', itemId: String(id) }, query);
  }
}
