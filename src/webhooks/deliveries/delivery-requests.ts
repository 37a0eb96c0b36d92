import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Permits } from '../../platform/work/permits.js';
import { conflict, Problem, throttled } from '../../platform/errors/problem.js';
import { findNotices } from '../../kernel/notices/notices.repository.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { noWebhook } from '../definition/webhook-id.js';
import { emptyMessage, type Written } from '../destinations/format-messages.js';
import { attemptNow } from './webhook-positions.js';
import { WebhooksRepository, type WebhookRow } from '../definition/webhooks.repository.js';
import { type DeliveryDto } from './delivery.dto.js';
import { DeliveriesRepository, type DeliveryRow } from './deliveries.repository.js';
import { MessageBodies } from './message-bodies.js';
import { testBody } from './message.js';
import { Sender } from './sender.js';
import { ofNotices } from './webhook-position.entity.js';
import { WebhookWorker } from './webhook-worker.js';

/** Answers when the cohort is deleted or its changes were removed. */
const noLongerStored = ({ detail }: Problem): Problem =>
  conflict(`The message cannot be made again from the history of its cohort: ${detail}`);

/** Sends messages that a user has requested: tests, and messages that were sent before. */
@Injectable()
export class DeliveryRequests {
  /** Limits the messages that are sent by hand, because each may take as long as its receiver likes. */
  private readonly byHand = new Permits(
    { project: 3 },
    { refusal: () => throttled(1, 'Too many messages of this project are being sent by hand: try again later') },
  );

  constructor(
    private readonly postgres: Postgres,
    private readonly webhooks: WebhooksRepository,
    private readonly log: DeliveriesRepository,
    private readonly bodies: MessageBodies,
    private readonly sender: Sender,
    private readonly worker: WebhookWorker,
  ) {}

  async test(project: ProjectContext, webhookId: number): Promise<DeliveryDto> {
    const webhook = await this.webhooks.find(project, webhookId);
    const id = uuidv7();
    const now = this.postgres.clock.now();
    const { path, body } = testOf(project, webhook, { id, createdAt: now });
    const sent = await this.byHand.during({ project: project.id }, () =>
      this.sender.send({ ...webhook, path }, id, body, project.signal),
    );
    return this.postgres.transaction(async (client) => {
      if (!(await this.log.addTest(client, project, webhookId, id, now, sent))) throw noWebhook(webhookId);
      return this.log.get(project, webhookId, id, client);
    });
  }

  /** Sends a message again, with the same id. A message that still waits is sent by the worker, which keeps the order. */
  async replay(project: ProjectContext, webhookId: number, id: string): Promise<DeliveryDto> {
    const webhook = await this.webhooks.find(project, webhookId);
    const delivery = await this.log.find(project, webhookId, id);
    return delivery.status === 'waiting'
      ? this.attemptNow(project, webhook, id)
      : this.sendAgain(project, webhook, delivery);
  }

  private async attemptNow(project: ProjectContext, webhook: WebhookRow, id: string): Promise<DeliveryDto> {
    if (webhook.paused_at !== null)
      throw conflict('The webhook is paused and the message still waits: resume the webhook, which sends it');
    const key = { projectId: project.id, id: webhook.id };
    const delivery = await this.postgres.transaction(async (client) => {
      await attemptNow(client, key, id, this.postgres.clock.now());
      return this.log.get(project, webhook.id, id, client);
    });
    this.worker.wake();
    return delivery;
  }

  private async sendAgain(project: ProjectContext, webhook: WebhookRow, delivery: DeliveryRow): Promise<DeliveryDto> {
    const { id } = delivery;
    if (webhook.format !== 'standard' && delivery.cohort_id !== null)
      throw conflict('An old message would undo later ones: use resync, which sends the members again');
    const { path, body } = await this.contentOf(project, webhook, delivery);
    const now = this.postgres.clock.now();
    const sent = await this.byHand.during({ project: project.id }, () =>
      this.sender.send({ ...webhook, path }, id, body, project.signal),
    );
    return this.postgres.transaction(async (client) => {
      await this.log.noteReplay(client, project, webhook.id, id, now, sent);
      return this.log.get(project, webhook.id, id, client);
    });
  }

  private async contentOf(project: ProjectContext, webhook: WebhookRow, delivery: DeliveryRow): Promise<Written> {
    const { cohort_id: cohortId, created_at: createdAt, read_limit: limit, read_entered: entered, changes } = delivery;
    if (cohortId === null) return testOf(project, webhook, { id: delivery.id, createdAt });
    if (cohortId === ofNotices) {
      const [after, to] = [Number(delivery.from_change), Number(delivery.to_change)];
      const notices = await findNotices(this.postgres, project.id, { type: delivery.notice_type ?? '', after, to });
      const body = this.bodies.ofNotices(project, notices);
      if (body !== null) return { path: '', body };
      throw conflict('The message cannot be made again: its notice is no longer kept');
    }
    const { rows } = await this.postgres.query<{ name: string }>(
      pgSql`SELECT name FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)}`,
    );
    const body = await this.bodies
      .bodyOf(project, {
        cohort: { id: cohortId, name: rows[0]?.name ?? '' },
        from: { id: Number(delivery.from_change), offset: delivery.from_offset },
        to: { id: Number(delivery.to_change), offset: delivery.to_offset },
        ...{ limit, entered, changes, createdAt },
      })
      .catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) throw noLongerStored(error);
        throw error;
      });
    return { path: '', body };
  }
}

const testOf = (
  project: ProjectContext,
  { id, format }: WebhookRow,
  test: { readonly id: string; readonly createdAt: Date },
): Written =>
  format === 'standard'
    ? { path: '', body: testBody(project.id, id, test.createdAt) }
    : emptyMessage(format, project.id, test.id);
