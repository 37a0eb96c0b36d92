import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export type ProjectDeletionState = 'pending' | 'running' | 'completed';

/** Numbers of rows by the name of their table. */
export type RemovedRows = Readonly<Record<string, number>>;

/** The request to remove a project with all that belongs to it, and its receipt, which outlives the project. Global. */
@Entity('project_deletions')
@Unique('project_deletions_deleted_project_id_key', ['deletedProjectId'])
@Check('project_deletions_state_check', "state IN ('pending', 'running', 'completed')")
@Index('project_deletions_open', ['requestedAt', 'id'], { where: 'settled_at IS NULL' })
export class ProjectDeletion {
  /** A version 7 UUID. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'deleted_project_id' })
  deletedProjectId: number;

  @Column('uuid', { name: 'project_uuid' })
  projectUuid: string;

  @Column('text', { name: 'project_name' })
  projectName: string;

  /** The user; null for an operator at the command line. */
  @Column('integer', { name: 'requested_by', nullable: true })
  requestedBy: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  @Column('text')
  state: ProjectDeletionState;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('jsonb', { name: 'removed_from_postgresql', default: {} })
  removedFromPostgresql: RemovedRows;

  /** Null until the rows are counted, which is before the first of them is removed. */
  @Column('jsonb', { name: 'removed_from_clickhouse', nullable: true })
  removedFromClickhouse: RemovedRows | null;

  /** The moment at which the row of the project was removed, the last of all. */
  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  /** The last count of both stores that found nothing. */
  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt: Date | null;

  /** The second look, after which no work that was under way can write to ClickHouse any more. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;
}
