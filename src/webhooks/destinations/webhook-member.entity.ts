import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Webhook } from '../webhook.entity.js';

/**
 * An identifier that was sent to a destination, or is being sent, for a member of a cohort. A person who leaves is removed by what
 * the receiver knows, which the person may no longer have.
 */
@Entity('webhook_members')
@ForeignKey(() => Webhook, ['projectId', 'webhookId'], ['projectId', 'id'], { name: 'webhook_members_webhook_fkey' })
@Index('webhook_members_identifier', ['projectId', 'webhookId', 'cohortId', 'identifier'])
@Index('webhook_members_leaving', ['projectId', 'webhookId', 'cohortId', 'leaving'], { where: 'leaving IS NOT NULL' })
export class WebhookMember {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'webhook_id' })
  webhookId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @PrimaryColumn('text')
  identifier: string;

  /** The message that tells the receiver to forget the identifier. The row is removed when the receiver accepts it. */
  @Column('uuid', { nullable: true })
  leaving: string | null;
}
