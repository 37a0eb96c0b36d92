import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type Author } from '../kernel/access/author.js';
import { problemResponse } from '../platform/errors/problem.dto.js';
import { updateOrDelete } from '../platform/http/deleted-field.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { ActionDto, ActionsQuery, CreateActionBody, UpdateActionBody } from './action.dto.js';
import { ActionId, ActionIdParam } from './action-id.js';
import { ActionsRepository } from './actions.repository.js';
import { ActionsService, maxActions } from './actions.service.js';

@ApiTags('Actions')
@Controller('api/projects/:project_id/actions')
export class ActionsController {
  constructor(
    private readonly rows: ActionsRepository,
    private readonly actions: ActionsService,
  ) {}

  @Get()
  @RequiresScope('action:read')
  @ApiOperation({ operationId: 'listActions', summary: 'Actions, newest first' })
  @ApiOkResponse({ type: PageDto(ActionDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: ActionsQuery,
  ): Promise<Page<ActionDto>> {
    return pageOf(request, query, await this.rows.list(project, query));
  }

  @Post()
  @RequiresScope('action:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createAction',
    summary: 'Create an action, a name for events that match one of several steps',
    description:
      'Questions name it in `actions`, and criteria of cohorts by `event_type: "actions"`. ' +
      `A project with ${maxActions} actions has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: ActionDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateActionBody,
    @CurrentAuthor() author: Author,
  ): Promise<ActionDto> {
    return this.actions.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('action:read')
  @ActionIdParam()
  @ApiOperation({ operationId: 'getAction', summary: 'One action' })
  @ApiOkResponse({ type: ActionDto })
  get(@CurrentProject() project: ProjectContext, @ActionId() id: number): Promise<ActionDto> {
    return this.rows.get(project, id);
  }

  @Patch(':id')
  @RequiresScope('action:write')
  @ActionIdParam()
  @ApiOperation({
    operationId: 'updateAction',
    summary: 'Change an action',
    description: 'Changed steps apply to every later question, and cohorts that name the action are calculated again.',
  })
  @ApiOkResponse({ type: ActionDto })
  @ApiConflictResponse(problemResponse('The new steps filter by a cohort, and live cohorts name the action.'))
  update(
    @CurrentProject() project: ProjectContext,
    @ActionId() id: number,
    @Body() body: UpdateActionBody,
    @CurrentAuthor() author: Author,
  ): Promise<ActionDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id),
      remove: () => this.remove(project, id, author),
      update: () => this.actions.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('action:write')
  @ActionIdParam()
  @ApiOperation({ operationId: 'deleteAction', summary: 'Delete an action' })
  @ApiNoContentResponse({ description: 'The action is deleted. A question that names it is refused from now on.' })
  @ApiConflictResponse(problemResponse('Live cohorts name the action.'))
  remove(
    @CurrentProject() project: ProjectContext,
    @ActionId() id: number,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.actions.delete(project, id, author);
  }
}
