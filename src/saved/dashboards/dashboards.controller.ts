import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Question, type QuestionRequest } from '../../filters/asking/questions.js';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { PersonalData } from '../../kernel/access/personal-data.js';
import { type Requester } from '../../kernel/access/author.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { updateOrDelete } from '../../platform/http/deleted-field.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { RecordId, RecordIdParam } from '../record-id.js';
import { CreateDashboardBody, DashboardAnswersDto, DashboardDto } from './dashboard.dto.js';
import { DashboardAnswersQuery, DashboardsQuery, UpdateDashboardBody } from './dashboard.dto.js';
import { maxTiles } from '../saved.dto.js';
import { DashboardAnswers } from './dashboard-answers.js';
import { DashboardsRepository } from './dashboards.repository.js';
import { DashboardsService, maxDashboards } from './dashboards.service.js';

@ApiTags('Saved')
@Controller('api/projects/:project_id/dashboards')
export class DashboardsController {
  constructor(
    private readonly rows: DashboardsRepository,
    private readonly dashboards: DashboardsService,
    private readonly answers: DashboardAnswers,
  ) {}

  @Get()
  @RequiresScope('dashboard:read')
  @ApiOperation({ operationId: 'listDashboards', summary: 'Dashboards, newest first' })
  @ApiOkResponse({ type: PageDto(DashboardDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @CurrentAuthor() { userId }: Requester,
    @Query() query: DashboardsQuery,
  ): Promise<Page<DashboardDto>> {
    return pageOf(request, query, await this.rows.list(project, userId, query));
  }

  @Post()
  @RequiresScope('dashboard:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createDashboard',
    summary: 'Create a dashboard, which shows saved questions',
    description: `At most ${maxTiles} tiles. A project with ${maxDashboards} dashboards has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: DashboardDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateDashboardBody,
    @CurrentAuthor() author: Requester,
  ): Promise<DashboardDto> {
    return this.dashboards.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('dashboard:read')
  @RecordIdParam('dashboard')
  @ApiOperation({ operationId: 'getDashboard', summary: 'One dashboard' })
  @ApiOkResponse({ type: DashboardDto })
  get(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @CurrentAuthor() { userId }: Requester,
  ): Promise<DashboardDto> {
    return this.rows.get(project, id, userId);
  }

  @Get(':id/answers')
  @RequiresScope('dashboard:read')
  @PersonalData()
  @RecordIdParam('dashboard')
  @ApiOperation({
    operationId: 'getDashboardAnswers',
    summary: 'The answers of all tiles of a dashboard',
    description:
      'The tiles are sent one after the other, as their answers are ready. A tile that fails has a `problem`, and the others go on; ' +
      'a key that lacks `person:read`, or `query:read` for questions in SQL, gets a problem in the place of these tiles. ' +
      '`date_from` and `date_to` replace the range of the dashboard; a question that has no such parameter keeps its own range.',
  })
  @ApiOkResponse({ type: DashboardAnswersDto })
  async answer(
    @Question() { project, now, signal, response }: QuestionRequest,
    @RecordId('dashboard') id: number,
    @CurrentAuthor() { scopes, requestId }: Requester,
    @Query() query: DashboardAnswersQuery,
  ): Promise<void> {
    const chunks = await this.answers.answer({ project, now, signal, scopes, requestId }, id, query);
    await sendStream(response.status(200).type('application/json'), chunks);
  }

  @Patch(':id')
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @ApiOperation({
    operationId: 'updateDashboard',
    summary: 'Change a dashboard',
    description: '`tiles` replaces all tiles; tiles that name their `id` keep it.',
  })
  @ApiOkResponse({ type: DashboardDto })
  update(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @Body() body: UpdateDashboardBody,
    @CurrentAuthor() author: Requester,
  ): Promise<DashboardDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id, author),
      remove: () => this.remove(project, id, author),
      update: () => this.dashboards.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('dashboard:write')
  @RecordIdParam('dashboard')
  @ApiOperation({ operationId: 'deleteDashboard', summary: 'Delete a dashboard; its insights stay' })
  @ApiNoContentResponse({ description: 'The dashboard is deleted.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @RecordId('dashboard') id: number,
    @CurrentAuthor() author: Requester,
  ): Promise<void> {
    return this.dashboards.delete(project, id, author);
  }
}
