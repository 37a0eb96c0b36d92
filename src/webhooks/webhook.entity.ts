import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type ChangeKind } from '../cohorts/changes/changes.dto.js';
import { Project } from '../kernel/projects/project.entity.js';

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

  /** As it was shown, because each message is signed with it. */
  @Column('text')
  secret: string;

  /** Null: all cohorts, also those that are made later. */
  @Column('integer', { array: true, nullable: true })
  cohorts: number[] | null;

  @Column('text', { array: true })
  kinds: ChangeKind[];

  @Column('integer', { name: 'batch_size' })
  batchSize: number;

  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt: Date | null;

  /** Null when a user has paused it. */
  @Column('text', { name: 'paused_reason', nullable: true })
  pausedReason: string | null;

  /** Every change of the project up to this one is noted in the positions. A cohort without a position has none that is to be sent. */
  @Column('bigint', { name: 'seen_change' })
  seenChange: string;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** The key that made the webhook, or gave it its present address. Null: a session, or an operator. The key may be gone. */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
