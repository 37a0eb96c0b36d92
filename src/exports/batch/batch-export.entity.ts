import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';
import { type BucketConfig } from './bucket-config.js';
import { type BatchInterval } from './periods.js';

export type BatchModel = 'events' | 'persons' | 'cohort';
export type RunStatus = 'Running' | 'Completed' | 'Failed';

/** Up to where the events of a partition are contained, and those of all partitions before it. */
export interface BatchPosition {
  /** Events received before this moment … */
  readonly before: string;
  /** … that ClickHouse got by this shipment. */
  readonly shipment: string;
  /** The last rebuild of ClickHouse, which gives its events other shipments. */
  readonly rebuild: string;
}

/** Writes a partition of a project's records to a bucket for each hour or day. */
@Entity('batch_exports')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'batch_exports_project_id_fkey' })
@Check('batch_exports_model_check', "model IN ('events', 'persons', 'cohort')")
@Check('batch_exports_interval_check', `"interval" IN ('hour', 'day')`)
@Index('batch_exports_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
export class BatchExport {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  model: BatchModel;

  @Column('integer', { name: 'cohort_id', nullable: true })
  cohortId: number | null;

  @Column('text')
  interval: BatchInterval;

  /** With the secret in plain text, because each request is signed with it. */
  @Column('jsonb')
  destination: BucketConfig;

  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt: Date | null;

  /** Null when a user has paused it. */
  @Column('text', { name: 'paused_reason', nullable: true })
  pausedReason: string | null;

  /** The start of the first period that has no complete partition. */
  @Column('timestamptz', { name: 'next_start' })
  nextStart: Date;

  /** The position of the last complete partition of events. */
  @Column('jsonb', { nullable: true })
  position: BatchPosition | null;

  /** Null while it is paused. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  @Column('integer')
  failures: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  /** The key that made it or last set its bucket; null when a session or an operator did. */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** A partition that was written or is being written. */
@Entity('batch_export_runs')
@ForeignKey(() => BatchExport, ['projectId', 'batchExportId'], ['projectId', 'id'], {
  name: 'batch_export_runs_batch_export_fkey',
  onDelete: 'CASCADE',
})
@Check('batch_export_runs_status_check', "status IN ('Running', 'Completed', 'Failed')")
@Index('batch_export_runs_created', ['createdAt'])
export class BatchExportRun {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'batch_export_id' })
  batchExportId: number;

  @PrimaryColumn('timestamptz', { name: 'period_start' })
  periodStart: Date;

  @Column('timestamptz', { name: 'period_end' })
  periodEnd: Date;

  @Column('text')
  status: RunStatus;

  /** Recorded before the first file, so that another attempt writes the same events. */
  @Column('jsonb', { nullable: true })
  position: BatchPosition | null;

  /** The path of the manifest in the bucket; null until it is written. */
  @Column('text', { nullable: true })
  manifest: string | null;

  @Column('integer')
  files: number;

  @Column('bigint')
  records: string;

  @Column('bigint')
  bytes: string;

  @Column('integer')
  attempts: number;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
