import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Question, type QuestionRequest } from '../../filters/asking/questions.js';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type Requester } from '../../kernel/access/author.js';
import { PersonalData } from '../../kernel/access/personal-data.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent, IdempotentReading } from '../../kernel/idempotency/idempotent.js';
import { updateOrDelete } from '../../platform/http/deleted-field.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { RecordId, RecordIdParam } from '../record-id.js';
import { AlertDto, AlertQuery, AlertsQuery, BacktestBody, BacktestDto, BacktestQuery } from './alert.dto.js';
import { CreateAlertBody, UpdateAlertBody } from './alert.dto.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService, maxAlerts } from './alerts.service.js';
import { Backtests } from './backtests.js';

@ApiTags('Saved')
@Controller('api/projects/:project_id/alerts')
export class AlertsController {
  constructor(
    private readonly rows: AlertsRepository,
    private readonly alerts: AlertsService,
    private readonly backtests: Backtests,
  ) {}

  @Get()
  @RequiresScope('alert:read')
  @ApiOperation({ operationId: 'listAlerts', summary: 'Alerts, newest first' })
  @ApiOkResponse({ type: PageDto(AlertDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: AlertsQuery,
    @Now() now: Date,
  ): Promise<Page<AlertDto>> {
    return pageOf(request, query, await this.rows.list(project, query, query.insight_id, now));
  }

  @Post()
  @RequiresScope('alert:write', 'insight:read', 'person:read')
  @Idempotent()
  @ApiOperation({
    operationId: 'createAlert',
    summary: 'Watch a number of a saved question; webhooks tell when it leaves its bounds',
    description:
      'The interval that ended last is decided at once, each later one a minute after its end, and each once: events that arrive later change nothing. ' +
      'The first interval of a breach fires (`alert.fired`), the first one after it resolves (`alert.resolved`); webhooks with these events get a message. ' +
      `A project with ${maxAlerts} alerts has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: AlertDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateAlertBody,
    @CurrentAuthor() author: Requester,
  ): Promise<AlertDto> {
    return this.alerts.create(project, body, author);
  }

  @Post('backtest')
  @HttpCode(200)
  @RequiresScope('alert:read', 'insight:read', 'person:read')
  @PersonalData()
  @IdempotentReading()
  @ApiOperation({
    operationId: 'backtestNewAlert',
    summary: 'When an alert that is not stored would have fired',
    description: 'Takes what `POST alerts` takes about the number and its bounds. Nothing is sent or recorded.',
  })
  @ApiOkResponse({ type: BacktestDto })
  backtestNew(
    @Question() { project, now, signal }: QuestionRequest,
    @Body() body: BacktestBody,
    @CurrentAuthor() { scopes }: Requester,
    @Query() { days }: BacktestQuery,
  ): Promise<BacktestDto> {
    return this.backtests.unsaved({ project, now, signal, scopes }, body, days);
  }

  @Get(':id')
  @RequiresScope('alert:read')
  @RecordIdParam('alert')
  @ApiOperation({ operationId: 'getAlert', summary: 'One alert, with its last checks' })
  @ApiOkResponse({ type: AlertDto })
  get(
    @CurrentProject() project: ProjectContext,
    @RecordId('alert') id: number,
    @Query() query: AlertQuery,
    @Now() now: Date,
  ): Promise<AlertDto> {
    return this.rows.get(project, id, now, query);
  }

  @Get(':id/backtest')
  @RequiresScope('alert:read', 'insight:read', 'person:read')
  @PersonalData()
  @RecordIdParam('alert')
  @ApiOperation({
    operationId: 'backtestAlert',
    summary: 'When an alert would have fired',
    description:
      'Decides the intervals of the past days as the alert does now, with the events that are stored now. Nothing is sent or recorded.',
  })
  @ApiOkResponse({ type: BacktestDto })
  backtest(
    @Question() { project, now, signal }: QuestionRequest,
    @RecordId('alert') id: number,
    @CurrentAuthor() { scopes }: Requester,
    @Query() { days }: BacktestQuery,
  ): Promise<BacktestDto> {
    return this.backtests.answer({ project, now, signal, scopes }, id, days);
  }

  @Patch(':id')
  @RequiresScope('alert:write', 'insight:read', 'person:read')
  @RecordIdParam('alert')
  @ApiOperation({
    operationId: 'updateAlert',
    summary: 'Change, snooze, disable or enable an alert',
    description:
      'After a change of more than its name an alert begins anew: if it fires, `alert.resolved` says why it ends. An interval that was decided before stays as it was.',
  })
  @ApiOkResponse({ type: AlertDto })
  update(
    @CurrentProject() project: ProjectContext,
    @RecordId('alert') id: number,
    @Body() body: UpdateAlertBody,
    @CurrentAuthor() author: Requester,
  ): Promise<AlertDto> {
    return updateOrDelete(body, {
      get: () => this.rows.get(project, id, author.now),
      remove: () => this.remove(project, id, author),
      update: () => this.alerts.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('alert:write')
  @RecordIdParam('alert')
  @ApiOperation({ operationId: 'deleteAlert', summary: 'Delete an alert and its checks' })
  @ApiNoContentResponse({ description: 'The alert is deleted. If it fired, `alert.resolved` is sent.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @RecordId('alert') id: number,
    @CurrentAuthor() author: Requester,
  ): Promise<void> {
    return this.alerts.delete(project, id, author);
  }
}
