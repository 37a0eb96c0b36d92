import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export type ProjectDeletionState = 'pending' | 'running' | 'completed';

/** Numbers of rows by the name of their table. */
export type RemovedRows = Readonly<Record<string, number>>;

/**
 * The request to remove a project with all its data, and the receipt for it, which outlives the project. The table is global.
 */
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

  /** The user who requested the deletion; null for an operator at the command line. */
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

  /** The numbers of rows in ClickHouse, counted before the first of them is removed; null until then. */
  @Column('jsonb', { name: 'removed_from_clickhouse', nullable: true })
  removedFromClickhouse: RemovedRows | null;

  /** When the row of the project was removed, after all other rows. */
  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  /** When both stores were last counted and had no rows of the project. */
  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt: Date | null;

  /** When the second look was done: after it, no work that was under way at the deletion can write to ClickHouse any more. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;
}
