import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** `stopped` means that the settings were changed while the run was removing events. */
export type ExpiryState = 'running' | 'done' | 'stopped';

/** The removal of those events of a project that were too old at one moment; also its receipt. */
@Entity('expiry_runs')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'expiry_runs_project_id_fkey' })
@Check('expiry_runs_state_check', "state IN ('running', 'done', 'stopped')")
// Not synchronised, because the index has descending columns, which TypeORM cannot express.
@Index('expiry_runs_newest', { synchronize: false })
@Index('expiry_runs_open', ['projectId', 'id'], { where: "state = 'running'" })
export class ExpiryRun {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  /** The number of the run of the job that started this removal. */
  @Column('bigint')
  run: string;

  /** The settings when the removal started. */
  @Column('integer', { name: 'ttl_days', nullable: true })
  ttlDays: number | null;

  @Column('jsonb', { name: 'ttl_days_by_name' })
  ttlDaysByName: Readonly<Record<string, number | null>>;

  /** The moment from which the ages of events are counted. */
  @Column('timestamptz', { name: 'counted_from' })
  countedFrom: Date;

  /** Only events received up to this moment are removed. */
  @Column('timestamptz', { name: 'received_up_to' })
  receivedUpTo: Date;

  @Column('text')
  state: ExpiryState;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  /**
   * The uuid up to which the present pass has removed expired events from the log, in the order of uuids; null when no pass has
   * started.
   */
  @Column('uuid', { name: 'swept_until', nullable: true })
  sweptUntil: string | null;

  /** The events that the present pass has removed. After a whole pass that removed none, the log is free of expired events. */
  @Column('bigint', { name: 'deleted_in_pass' })
  deletedInPass: string;

  @Column('timestamptz', { name: 'swept_at', nullable: true })
  sweptAt: Date | null;

  @Column('bigint', { name: 'events_deleted' })
  eventsDeleted: string;

  @Column('bigint', { name: 'events_left', nullable: true })
  eventsLeft: string | null;

  @Column('timestamptz', { name: 'verified_at', nullable: true })
  verifiedAt: Date | null;

  @Column('text', { nullable: true })
  error: string | null;
}

/** The number of events of one name that a run has removed. */
@Entity('expiry_run_events')
@ForeignKey(() => ExpiryRun, ['projectId', 'expiryRunId'], ['projectId', 'id'], {
  name: 'expiry_run_events_project_id_expiry_run_id_fkey',
  onDelete: 'CASCADE',
})
export class ExpiryRunEvent {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid', { name: 'expiry_run_id' })
  expiryRunId: string;

  @PrimaryColumn('text')
  event: string;

  @Column('bigint')
  deleted: string;
}
