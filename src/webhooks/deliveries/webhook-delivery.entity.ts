import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type NoticeType } from '../../kernel/notices/notice.entity.js';
import { Webhook } from '../webhook.entity.js';

export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * One message to a webhook. The content of a standard one is read again when it is sent again: from the history of the cohort, or
 * the notices.
 */
@Entity('webhook_deliveries')
@ForeignKey(() => Webhook, ['projectId', 'webhookId'], ['projectId', 'id'], { name: 'webhook_deliveries_webhook_fkey' })
@Index('webhook_deliveries_created', ['createdAt'])
export class WebhookDelivery {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'webhook_id' })
  webhookId: number;

  /** A version 7 UUID, by which deliveries are sorted. Receivers get it as `webhook-id`. */
  @PrimaryColumn('uuid')
  id: string;

  /** Null for a test, which has no content; `ofNotices` for a notice, whose id is in `to_change`. */
  @Column('integer', { name: 'cohort_id', nullable: true })
  cohortId: number | null;

  /** Null for a test and changes of a cohort. */
  @Column('text', { name: 'notice_type', nullable: true })
  noticeType: NoticeType | null;

  @Column('bigint', { name: 'from_change' })
  fromChange: string;

  @Column('integer', { name: 'from_offset' })
  fromOffset: number;

  @Column('bigint', { name: 'to_change' })
  toChange: string;

  @Column('integer', { name: 'to_offset' })
  toOffset: number;

  /** The changes were read with this limit, and only those of one kind unless `read_entered` is null. */
  @Column('integer', { name: 'read_limit' })
  readLimit: number;

  @Column('boolean', { name: 'read_entered', nullable: true })
  readEntered: boolean | null;

  @Column('integer')
  changes: number;

  @Column('text')
  status: DeliveryStatus;

  @Column('integer')
  attempts: number;

  /** The status of the receiver's last answer. */
  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  /** The error of the last attempt. */
  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt: Date | null;

  /** The place of a page of members, from 1. */
  @Column('integer', { nullable: true })
  page: number | null;

  /** The number of pages. */
  @Column('integer', { nullable: true })
  pages: number | null;

  /** The last person of a page; null for the last page. */
  @Column('bigint', { name: 'page_end', nullable: true })
  pageEnd: string | null;

  /** The number of persons without an identifier to send. Null for the standard format. */
  @Column('integer', { nullable: true })
  skipped: number | null;

  /** Is added to the path of the webhook. */
  @Column('text', { nullable: true })
  path: string | null;

  /**
   * The content of a message to a destination, until the receiver accepts it: the history yields persons, but no longer their
   * properties of that moment.
   */
  @Column('text', { nullable: true })
  body: string | null;
}
