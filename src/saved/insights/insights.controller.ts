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
import { AnswerQuery, InsightAnswerDto, InsightQuery, InsightsQuery, SavedInsightDto } from './insight.dto.js';
import { CreateInsightBody, UpdateInsightBody } from './insight.dto.js';
import { InsightAnswers } from './insight-answers.js';
import { InsightsRepository } from './insights.repository.js';
import { InsightsService, maxInsights } from './insights.service.js';

@ApiTags('Saved')
@Controller('api/projects/:project_id/insights')
export class InsightsController {
  constructor(
    private readonly rows: InsightsRepository,
    private readonly insights: InsightsService,
    private readonly answers: InsightAnswers,
  ) {}

  @Get()
  @RequiresScope('insight:read')
  @ApiOperation({ operationId: 'listInsights', summary: 'Saved questions, newest first' })
  @ApiOkResponse({ type: PageDto(SavedInsightDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @CurrentAuthor() { userId }: Requester,
    @Query() query: InsightsQuery,
  ): Promise<Page<SavedInsightDto>> {
    return pageOf(request, query, await this.rows.list(project, userId, query));
  }

  @Post()
  @RequiresScope('insight:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createInsight',
    summary: 'Save a question',
    description: `A project with ${maxInsights} insights has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: SavedInsightDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateInsightBody,
    @CurrentAuthor() author: Requester,
  ): Promise<SavedInsightDto> {
    return this.insights.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('insight:read')
  @PersonalData()
  @RecordIdParam('insight')
  @ApiOperation({
    operationId: 'getInsight',
    summary: 'One saved question',
    description:
      'With `refresh` the answer has `result`, and the key needs the scope of the route of the question, as for `GET insights/{id}/answer`.',
  })
  @ApiOkResponse({ type: SavedInsightDto })
  get(
    @Question() { project, now, signal }: QuestionRequest,
    @RecordId('insight') id: number,
    @CurrentAuthor() { scopes, userId }: Requester,
    @Query() { refresh }: InsightQuery,
  ): Promise<SavedInsightDto> {
    if (refresh) return this.answers.withResult({ project, now, signal, scopes }, id, userId);
    return this.rows.get(project, id, userId);
  }

  @Get(':id/answer')
  @RequiresScope('insight:read')
  @PersonalData()
  @RecordIdParam('insight')
  @ApiOperation({
    operationId: 'getInsightAnswer',
    summary: 'The answer to a saved question',
    description:
      'The key needs the scope of the route of the question too: `person:read`, or `query:read` for a question in SQL. ' +
      'A question in SQL has no time range to replace, and retention only an end.',
  })
  @ApiOkResponse({ type: InsightAnswerDto })
  async answer(
    @Question() { project, now, signal, response }: QuestionRequest,
    @RecordId('insight') id: number,
    @CurrentAuthor() { scopes }: Requester,
    @Query() query: AnswerQuery,
  ): Promise<void> {
    const chunks = await this.answers.answer({ project, now, signal, scopes }, id, query);
    await sendStream(response.status(200).type('application/json'), chunks);
  }

  @Patch(':id')
  @RequiresScope('insight:write')
  @RecordIdParam('insight')
  @ApiOperation({ operationId: 'updateInsight', summary: 'Change a saved question' })
  @ApiOkResponse({ type: SavedInsightDto })
  update(
    @CurrentProject() project: ProjectContext,
    @RecordId('insight') id: number,
    @Body() body: UpdateInsightBody,
    @CurrentAuthor() author: Requester,
  ): Promise<SavedInsightDto> {
    return updateOrDelete(body, {
      get: () => this.rows.get(project, id, author.userId),
      remove: () => this.remove(project, id, author),
      update: () => this.insights.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('insight:write')
  @RecordIdParam('insight')
  @ApiOperation({
    operationId: 'deleteInsight',
    summary: 'Delete a saved question',
    description: 'Its tiles disappear from dashboards; `dashboards` of the insight names these.',
  })
  @ApiNoContentResponse({ description: 'The insight and its tiles are deleted.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @RecordId('insight') id: number,
    @CurrentAuthor() author: Requester,
  ): Promise<void> {
    return this.insights.delete(project, id, author);
  }
}
