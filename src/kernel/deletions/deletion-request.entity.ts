import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Scrub } from '../event-log/removal/scrub.js';
import { Project } from '../projects/project.entity.js';

export type DeletionState = 'pending' | 'running' | 'done';

/**
 * A request deletes the events of a person, events that were selected by a question, properties of such events, or a group with
 * or without its mention in events.
 */
export type DeletionKind = 'person' | 'events' | 'properties' | 'group';

/** How the events of a request were selected, without values that may be personal. */
export interface DeletionCriteria {
  readonly events?: readonly string[];
  readonly after?: string;
  readonly before?: string;
  /** The number of uuids. */
  readonly uuids?: number;
  /** True if filters were part of the question. */
  readonly is_filtered?: boolean;
  readonly scrub?: readonly string[];
  readonly group_id?: number;
}

/** The result of the last count in each place that had a part of the events. */
export interface RemainingParts {
  /** Rows of PostgreSQL. */
  readonly rows: number;
  /** Compressed blocks in PostgreSQL. */
  readonly blocks: number;
  /** Files of the archive. */
  readonly files: number;
  readonly clickhouse: number;
  readonly warnings: number;
}

/** The request to delete events, or parts of events, and its receipt. */
@Entity('deletion_requests')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'deletion_requests_project_id_fkey' })
@Check('deletion_requests_state_check', "state IN ('pending', 'running', 'done')")
@Check('deletion_requests_kind_check', "kind IN ('person', 'events', 'properties', 'group')")
@Check('deletion_requests_remaining_check', "kind = 'person' OR state <> 'done' OR remaining IS NOT NULL")
// The index is newest first, which TypeORM cannot express.
@Index('deletion_requests_newest', { synchronize: false })
@Index('deletion_requests_open', ['projectId', 'createdAt', 'id'], { where: 'settled_at IS NULL' })
export class DeletionRequest {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { default: 'person' })
  kind: DeletionKind;

  /** 0 in a request that is about no person. */
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

  /** Events received up to this moment are deleted, unless `receivedUpTo` is an earlier one. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** The moment of the preview. */
  @Column('timestamptz', { name: 'received_up_to', nullable: true })
  receivedUpTo: Date | null;

  @Column('jsonb', { nullable: true })
  criteria: DeletionCriteria | null;

  /** The number of events of `deletion_request_events`; null in a request about a person. */
  @Column('bigint', { name: 'events_selected', nullable: true })
  eventsSelected: string | null;

  @Column('timestamptz', { name: 'scheduled_for' })
  scheduledFor: Date;

  @Column('text')
  state: DeletionState;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  /**
   * The progress in the order of the distinct ids, or of the positions of selected events: up to this one the log is as requested.
   */
  @Column('text', { name: 'swept_until', nullable: true })
  sweptUntil: string | null;

  @Column('timestamptz', { name: 'swept_at', nullable: true })
  sweptAt: Date | null;

  @Column('bigint', { name: 'events_deleted' })
  eventsDeleted: string;

  @Column('bigint', { name: 'events_scrubbed', default: 0 })
  eventsScrubbed: string;

  @Column('bigint', { name: 'events_left', nullable: true })
  eventsLeft: string | null;

  @Column('jsonb', { nullable: true })
  remaining: RemainingParts | null;

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

/** Up to a thousand of the events that a request has selected, until the request is done for good. */
@Entity('deletion_request_events')
@ForeignKey(() => DeletionRequest, ['projectId', 'requestId'], ['projectId', 'id'], {
  name: 'deletion_request_events_project_id_request_id_fkey',
  onDelete: 'CASCADE',
})
export class DeletionRequestEvents {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid', { name: 'request_id' })
  requestId: string;

  @PrimaryColumn('integer')
  position: number;

  @Column('uuid', { array: true })
  uuids: string[];

  /** The parts to remove; null: the whole events. */
  @Column('jsonb', { nullable: true })
  scrub: Scrub | null;
}
