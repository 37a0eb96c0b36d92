import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { WebhookId, WebhookIdParam } from '../definition/webhook-id.js';
import { WebhooksRepository } from '../definition/webhooks.repository.js';
import { DeliveriesQuery, DeliveryDto } from './delivery.dto.js';
import { deliveryLifetimeDays, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryRequests } from './delivery-requests.js';

@ApiTags('Webhooks')
@Controller('api/projects/:project_id/webhooks/:id')
export class DeliveriesController {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly log: DeliveriesRepository,
    private readonly requests: DeliveryRequests,
  ) {}

  @Get('deliveries')
  @RequiresScope('webhook:read')
  @WebhookIdParam()
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'Messages to a webhook, newest first',
    description: `They are kept for ${deliveryLifetimeDays} days.`,
  })
  @ApiOkResponse({ type: PageDto(DeliveryDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @WebhookId() id: number,
    @Query() query: DeliveriesQuery,
  ): Promise<Page<DeliveryDto>> {
    await this.webhooks.find(project, id);
    return pageOf(request, query, await this.log.list(project, id, query));
  }

  @Post('deliveries/:delivery_id/replay')
  @HttpCode(200)
  @RawBody()
  @RequiresScope('webhook:write')
  @Idempotent()
  @WebhookIdParam()
  @ApiParam({ name: 'delivery_id', format: 'uuid', description: 'The id of the delivery.' })
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Send a message again, with the same id',
    description:
      'The message is made again from the history of its cohort, and sent once; the answer says what became of it. ' +
      'A message that still waits is tried at once, in its order, and the answer does not wait for it.',
  })
  @ApiOkResponse({ type: DeliveryDto })
  @ApiConflictResponse(
    problemResponse(
      'The message still waits, and the webhook is paused; or an old message to a webhook with the format of a receiver, which would undo later ones.',
    ),
  )
  replay(
    @CurrentProject() project: ProjectContext,
    @WebhookId() id: number,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.requests.replay(project, id, deliveryId);
  }

  @Post('test')
  @HttpCode(200)
  @RawBody()
  @RequiresScope('webhook:write')
  @Idempotent()
  @WebhookIdParam()
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test message, and see what the receiver answers',
    description:
      'The message has the type `webhook.test`, or in the format of a receiver no member. It is sent once, also while the webhook is paused.',
  })
  @ApiOkResponse({ type: DeliveryDto })
  test(@CurrentProject() project: ProjectContext, @WebhookId() id: number): Promise<DeliveryDto> {
    return this.requests.test(project, id);
  }
}
