import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type ChangeKind } from '../cohorts/changes/changes.dto.js';
import { Project } from '../kernel/projects/project.entity.js';
import {
  type AmplitudeProject,
  type Credentials,
  type Identifier,
  type WebhookFormat,
} from './destinations/destination.js';

/** A receiver of changes of cohorts. */
@Entity('webhooks')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'webhooks_project_id_fkey' })
export class Webhook {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  url: string;

  /** Stored in plain text, because each message is signed with it. */
  @Column('text')
  secret: string;

  /** Null for all cohorts, including later ones. */
  @Column('integer', { array: true, nullable: true })
  cohorts: number[] | null;

  @Column('text', { array: true })
  kinds: ChangeKind[];

  /** The types of its messages, as `storedEvents` writes them. */
  @Column('text', { array: true, default: ['cohort.changed'] })
  events: string[];

  @Column('integer', { name: 'batch_size' })
  batchSize: number;

  @Column('text', { default: 'standard' })
  format: WebhookFormat;

  /** By what a destination names persons. Null for the standard format, which names them by their ids. */
  @Column('jsonb', { nullable: true })
  identifier: Identifier | null;

  /** The properties of persons that are sent beside the identifier. */
  @Column('text', { array: true, default: [] })
  properties: string[];

  @Column('jsonb', { nullable: true })
  amplitude: AmplitudeProject | null;

  /** Stored in plain text, because each message is sent with them. */
  @Column('jsonb', { nullable: true })
  credentials: Credentials | null;

  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt: Date | null;

  /** Null when a user has paused the webhook. */
  @Column('text', { name: 'paused_reason', nullable: true })
  pausedReason: string | null;

  /**
   * All changes of the project up to this one are noted in the positions. A cohort without a position has nothing to send up to
   * here.
   */
  @Column('bigint', { name: 'seen_change' })
  seenChange: string;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /**
   * The key that made the webhook or last set its address. Null when a session or an operator did. The key may no longer exist.
   */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
