import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Signal } from '../../common/background/signal.js';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Config } from '../../config/config.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { Deliverer } from './deliverer.js';
import { forgetOldDeliveries } from './delivery-log.js';
import { MessageBodies } from './message-bodies.js';
import { Sender } from './sender.js';
import { WebhookWorker } from './webhook-worker.js';

/** Runs the delivery of changes to webhooks in this process, unless its role is another. */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly work = new Signal();
  private readonly worker: WebhookWorker | null;

  constructor(
    config: Config,
    postgres: Postgres,
    bodies: MessageBodies,
    sender: Sender,
    @Inject(LOGGER) logger: Logger,
  ) {
    const deliverer = new Deliverer({
      postgres,
      bodies,
      send: (receiver, id, body, signal) => sender.send(receiver, id, body, signal),
    });
    this.worker = config.worksInBackground
      ? new WebhookWorker({
          postgres,
          logger,
          sole: config.databaseUrl === null,
          work: this.work,
          turn: (webhook, lease, signal) => deliverer.turn(webhook, lease, signal),
          sweep: (now) => forgetOldDeliveries(postgres, now),
        })
      : null;
  }

  onApplicationBootstrap(): void {
    this.worker?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker?.stop();
  }

  /** Signals that a webhook was made due. The signal only saves time: due webhooks are looked for anyway. */
  wake(): void {
    this.work.notify();
  }
}
