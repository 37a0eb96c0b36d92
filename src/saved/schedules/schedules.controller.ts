import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { readSmallId } from '../../platform/values/ids.js';
import { RecordId, RecordIdParam } from '../record-id.js';
import { CreateScheduleBody, DashboardScheduleDto, DashboardSchedulesDto } from './schedule.dto.js';
import { maxSchedules, SchedulesService } from './schedules.service.js';

const ScheduleIdParam = () => ApiParam({ name: 'schedule_id', format: 'uuid', description: 'The id of a schedule.' });

@ApiTags('Saved')
@Controller('api/projects/:project_id/dashboards/:id/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @RequiresScope('dashboard:read')
  @RecordIdParam('dashboard')
  @ApiOperation({ operationId: 'listDashboardSchedules', summary: 'When a dashboard is sent, and to whom' })
  @ApiOkResponse({ type: DashboardSchedulesDto })
  async list(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
  ): Promise<DashboardSchedulesDto> {
    return { results: await this.schedules.list(project, id) };
  }

  @Post()
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @Idempotent({
    reader: SchedulesService,
    keep: ({ id }: DashboardScheduleDto) => ({ id }),
    read: (schedules, { id }, request) =>
      schedules.get(projectOf(request), readSmallId(String(request.params.id)) ?? 0, id),
    says: 'gets the schedule as it is by then',
  })
  @ApiOperation({
    operationId: 'createDashboardSchedule',
    summary: 'Send a dashboard each day or week, by e-mail and to webhooks',
    description:
      'A message has the name of the dashboard, the numbers of each tile with the saved filters, their change if the question compares, and a ' +
      'link; no persons, no values of breakdowns and no tables. It is sent once for each due time. A mail that the server does not take is tried ' +
      'again for a day. It ends when its maker may no longer change dashboards of the project, and when the key that made it is revoked; a key ' +
      'that expires makes none. The caller needs `person:read`, too. A project with `dashboard_links_forbidden` sends no mails. ' +
      `A dashboard has at most ${maxSchedules} schedules.`,
  })
  @ApiCreatedResponse({ type: DashboardScheduleDto })
  create(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Body() body: CreateScheduleBody,
    @CurrentAuthor() author: Requester,
  ): Promise<DashboardScheduleDto> {
    return this.schedules.create(project, id, body, author);
  }

  @Post(':schedule_id/send')
  @HttpCode(200)
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @ScheduleIdParam()
  @Idempotent()
  @ApiOperation({
    operationId: 'sendDashboardSchedule',
    summary: 'Send a scheduled dashboard now',
    description:
      'Its receivers get the numbers of this moment, and again at the next due time. The answer does not wait for that: `GET` shows ' +
      '`last_sent_at`, or the `problem`.',
  })
  @ApiOkResponse({ type: DashboardScheduleDto })
  @ApiConflictResponse(problemResponse('The schedule has ended.'))
  send(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Param('schedule_id') scheduleId: string,
    @CurrentAuthor() author: Author,
  ): Promise<DashboardScheduleDto> {
    return this.schedules.send(project, id, scheduleId, author);
  }

  @Delete(':schedule_id')
  @HttpCode(204)
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @ScheduleIdParam()
  @ApiOperation({ operationId: 'deleteDashboardSchedule', summary: 'Send a dashboard no longer' })
  @ApiNoContentResponse({ description: 'It is not sent any more.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Param('schedule_id') scheduleId: string,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.schedules.delete(project, id, scheduleId, author);
  }
}
