import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiActivityResponse } from '../activity/activity-answer.js';
import { ActivityQuery } from '../activity/activity.dto.js';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { PersonIdParam } from './person-format.guard.js';
import { personRef } from '../kernel/identity/person-ref.js';
import { PersonActivity } from './reading/person-activity.js';

/** This controller is registered first, because `persons/:id` would capture `persons/activity`. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PersonActivityController {
  constructor(private readonly activities: PersonActivity) {}

  @Get('activity')
  @RequiresScope('activity_log:read')
  @ApiOperation({ operationId: 'listPersonsActivity', summary: 'Changes of all persons, newest first' })
  @ApiActivityResponse()
  activity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    return this.activities.sendAll(request, response, project, query);
  }

  @Get(':id/activity')
  @RequiresScope('activity_log:read')
  @PersonIdParam()
  @ApiOperation({ operationId: 'listPersonActivity', summary: 'Changes of one person, newest first' })
  @ApiActivityResponse()
  activityOf(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    return this.activities.sendOf(request, response, project, personRef(id), query);
  }
}
