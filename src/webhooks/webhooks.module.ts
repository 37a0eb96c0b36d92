import { Module } from '@nestjs/common';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { FiltersModule } from '../filters/filters.module.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { Deliverer } from './deliveries/deliverer.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveryRequests } from './deliveries/delivery-requests.js';
import { MessageBodies } from './deliveries/message-bodies.js';
import { DestinationMessages } from './deliveries/destination-messages.js';
import { Sender } from './deliveries/sender.js';
import { WebhookWorker } from './deliveries/webhook-worker.js';
import { WebhooksRepository } from './definition/webhooks.repository.js';
import { ActionMatcher } from './matches/action-matcher.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [CohortsModule, FiltersModule],
  controllers: [DeliveriesController, WebhooksController],
  providers: [
    ActionMatcher,
    DeliveriesRepository,
    DeliveryRequests,
    MessageBodies,
    DestinationMessages,
    Sender,
    Deliverer,
    WebhookWorker,
    WebhooksRepository,
    WebhooksService,
  ],
})
export class WebhooksModule {}
