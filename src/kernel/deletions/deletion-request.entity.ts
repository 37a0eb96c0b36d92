import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

export type DeletionState = 'pending' | 'running' | 'done';

/** The request to delete a person's events, and its receipt. */
@Entity('deletion_requests')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'deletion_requests_project_id_fkey' })
@Check('deletion_requests_state_check', "state IN ('pending', 'running', 'done')")
// The index is newest first, which TypeORM cannot express.
@Index('deletion_requests_newest', { synchronize: false })
@Index('deletion_requests_open', ['projectId', 'createdAt', 'id'], { where: 'settled_at IS NULL' })
export class DeletionRequest {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  @Column('uuid', { name: 'person_uuid' })
  personUuid: string;

  /** The ids themselves are personal data and are removed when the request is done for good. */
  @Column('integer', { name: 'distinct_id_count' })
  distinctIdCount: number;

  @Column('integer', { name: 'requested_by', nullable: true })
  requestedBy: number | null;

  /** The id of the HTTP request, as in the activity log. */
  @Column('text', { name: 'request_id' })
  requestId: string;

  /** Events received up to this moment are deleted. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'scheduled_for' })
  scheduledFor: Date;

  @Column('text')
  state: DeletionState;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  /** The progress in the order of the distinct ids: the log has no events of ids up to this one any more. */
  @Column('text', { name: 'swept_until', nullable: true })
  sweptUntil: string | null;

  @Column('timestamptz', { name: 'swept_at', nullable: true })
  sweptAt: Date | null;

  @Column('bigint', { name: 'events_deleted' })
  eventsDeleted: string;

  @Column('bigint', { name: 'events_left', nullable: true })
  eventsLeft: string | null;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt: Date | null;

  /** The moment from which no write that was under way at `createdAt` can arrive any more. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;

  /** The run that verified the request. */
  @Column('bigint', { nullable: true })
  run: string | null;

  @Column('text', { nullable: true })
  error: string | null;
}

@Entity('deletion_request_ids')
@ForeignKey(() => DeletionRequest, ['projectId', 'requestId'], ['projectId', 'id'], {
  name: 'deletion_request_ids_project_id_request_id_fkey',
  onDelete: 'CASCADE',
})
export class DeletionRequestId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid', { name: 'request_id' })
  requestId: string;

  @PrimaryColumn('text', { name: 'distinct_id', collation: 'C' })
  distinctId: string;
}
