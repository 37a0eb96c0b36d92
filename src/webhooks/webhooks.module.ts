import { Module } from '@nestjs/common';
import { CohortsModule } from '../cohorts/cohorts.module.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { Deliverer } from './deliveries/deliverer.js';
import { DeliveryLog } from './deliveries/delivery-log.js';
import { DeliveryRequests } from './deliveries/delivery-requests.js';
import { MessageBodies } from './deliveries/message-bodies.js';
import { Sender } from './deliveries/sender.js';
import { WebhookWorker } from './deliveries/webhook-worker.js';
import { WebhookReader } from './definition/webhook-reader.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [CohortsModule],
  controllers: [DeliveriesController, WebhooksController],
  providers: [
    DeliveryLog,
    DeliveryRequests,
    MessageBodies,
    Sender,
    Deliverer,
    WebhookWorker,
    WebhookReader,
    WebhooksService,
  ],
})
export class WebhooksModule {}
