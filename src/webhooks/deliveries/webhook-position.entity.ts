import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Webhook } from '../webhook.entity.js';

/** Takes the place of a cohort in the position of a webhook in the notices of its project. No cohort has this id. */
export const ofNotices = 0;

/** The position up to which the changes of one cohort, or the notices of the project, have been sent to one webhook. */
@Entity('webhook_positions')
@ForeignKey(() => Webhook, ['projectId', 'webhookId'], ['projectId', 'id'], { name: 'webhook_positions_webhook_fkey' })
@Index('webhook_positions_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
export class WebhookPosition {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'webhook_id' })
  webhookId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** The receiver has accepted everything up to here. */
  @Column('bigint', { name: 'change_id' })
  changeId: string;

  @Column('integer', { name: 'change_offset' })
  changeOffset: number;

  /** The message after the position, until the receiver accepts it: it keeps its id and its content. */
  @Column('uuid', { name: 'delivery_id', nullable: true })
  deliveryId: string | null;

  /** The number of failed attempts of the message in `delivery_id`. */
  @Column('integer')
  failures: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  /** Null when there is nothing to send or the webhook is paused. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** The number of times that the webhook sent the members anew. Messages of an earlier time are not recorded any more. */
  @Column('integer', { default: 0 })
  generation: number;

  /** While the members as of `change_id` are sent in pages: the last person of the pages that were accepted. */
  @Column('bigint', { name: 'page_after', nullable: true })
  pageAfter: string | null;

  /** The number of pages that were accepted. */
  @Column('integer', { name: 'page_number', default: 0 })
  pageNumber: number;

  /** A destination refused a message of more persons for its size. */
  @Column('integer', { name: 'batch_limit', nullable: true })
  batchLimit: number | null;

  /** The id that the receiver gave the cohort. */
  @Column('text', { name: 'receiver_cohort', nullable: true })
  receiverCohort: string | null;
}
