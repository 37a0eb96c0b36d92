import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../kernel/access/access.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { problemResponse } from '../platform/errors/problem.dto.js';
import { updateOrDelete } from '../platform/http/deleted-field.js';
import { type Page, PageDto, PageQuery, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { CreateWebhookBody, ResyncBody, ResyncDto, UpdateWebhookBody, WebhookDto } from './webhook.dto.js';
import { maxWebhooks } from './definition/webhook-fields.js';
import { WebhookId, WebhookIdParam } from './definition/webhook-id.js';
import { WebhooksRepository } from './definition/webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('api/projects/:project_id/webhooks')
export class WebhooksController {
  constructor(
    private readonly rows: WebhooksRepository,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get()
  @RequiresScope('webhook:read')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'Webhooks, newest first' })
  @ApiOkResponse({ type: PageDto(WebhookDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: PageQuery,
  ): Promise<Page<WebhookDto>> {
    return pageOf(request, query, await this.rows.list(project, query));
  }

  @Post()
  @RequiresScope('webhook:write', 'cohort:read', 'person:read')
  @Idempotent({
    reader: WebhooksRepository,
    keep: ({ id }: WebhookDto) => ({ id }),
    read: (webhooks, { id }, request) => webhooks.get(projectOf(request), id),
    says: 'gets the webhook as it is now, without its secret: when the first answer is lost, delete the webhook and create another one under a new `Idempotency-Key`',
  })
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Send the changes of cohorts to an address; only this answer contains the secret',
    description:
      'Each message is a POST that is signed as Standard Webhooks says (`webhook-id`, `webhook-timestamp`, `webhook-signature`), and has changes of one cohort, in the form of the feed. ' +
      'Changes of a cohort arrive in order, at least once: a message that is not answered with 2xx within 10 s is sent again, with the same `webhook-id`, after 5 s and then ever longer, for 3 days; then the webhook is paused. ' +
      'The first message is about what changes after this request; with another `format` than `standard`, it is about the members of now. ' +
      `A project with ${maxWebhooks} webhooks has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: WebhookDto })
  @ApiNotFoundResponse(
    problemResponse('The webhook that the first request with this `Idempotency-Key` created is deleted.'),
  )
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateWebhookBody,
    @CurrentAuthor() author: Requester,
  ): Promise<WebhookDto> {
    return this.webhooks.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('webhook:read')
  @WebhookIdParam()
  @ApiOperation({ operationId: 'getWebhook', summary: 'One webhook' })
  @ApiOkResponse({ type: WebhookDto })
  get(@CurrentProject() project: ProjectContext, @WebhookId() id: number): Promise<WebhookDto> {
    return this.rows.get(project, id);
  }

  @Patch(':id')
  @RequiresScope('webhook:write', 'cohort:read', 'person:read')
  @WebhookIdParam()
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change, pause or resume a webhook',
    description:
      'A cohort that is added starts after its last change. A message that was started keeps its content. ' +
      'A new `url`, or `paused: false`, tries what failed at once. ' +
      'With another `format` than `standard`, a cohort that is added, or all of them after a change of `url`, `identifier`, ' +
      '`properties` or `amplitude`, begin with their members; credentials must be given again for a `url` on another server.',
  })
  @ApiOkResponse({ type: WebhookDto })
  update(
    @CurrentProject() project: ProjectContext,
    @WebhookId() id: number,
    @Body() body: UpdateWebhookBody,
    @CurrentAuthor() author: Requester,
  ): Promise<WebhookDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id),
      remove: () => this.remove(project, id, author),
      update: () => this.webhooks.update(project, id, body, author),
    });
  }

  @Post(':id/resync')
  @HttpCode(200)
  @RequiresScope('webhook:write', 'cohort:read', 'person:read')
  @Idempotent()
  @WebhookIdParam()
  @ApiOperation({
    operationId: 'resyncWebhook',
    summary: 'Send the members of cohorts again, to a webhook with the format of a receiver',
    description:
      'The members are sent in pages, and then what has changed since. Messages that wait are dropped, because the pages and the ' +
      'changes after them say the same. The answer does not wait for messages; a paused webhook sends them when it is resumed.',
  })
  @ApiOkResponse({ type: ResyncDto })
  @ApiConflictResponse(problemResponse('The webhook has the format `standard`.'))
  resync(
    @CurrentProject() project: ProjectContext,
    @WebhookId() id: number,
    @Body() body: ResyncBody,
    @CurrentAuthor() author: Author,
  ): Promise<ResyncDto> {
    return this.webhooks.resync(project, id, body, author);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('webhook:write')
  @WebhookIdParam()
  @ApiOperation({ operationId: 'deleteWebhook', summary: 'Delete a webhook and its log of deliveries' })
  @ApiNoContentResponse({ description: 'The webhook is deleted. A message that is being sent may still arrive.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @WebhookId() id: number,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.webhooks.delete(project, id, author);
  }
}
