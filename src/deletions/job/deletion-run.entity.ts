import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * `schedule` covers the requests up to a scheduled moment, `operator` covers all requests. `second look` covers requests that
 * were finished so soon after they were made that an event in progress at that time may have arrived since.
 */
export type RunReason = 'schedule' | 'operator' | 'second look';

/** A run of the job that deletes events. With Citus, the table is on the coordinator only. */
@Entity('deletion_runs')
@Unique('deletion_runs_scheduled_for_key', ['scheduledFor'])
@Check('deletion_runs_reason_check', "reason IN ('schedule', 'operator', 'second look')")
@Index('deletion_runs_open', ['number'], { where: 'finished_at IS NULL' })
export class DeletionRun {
  /** A bigint, which the driver returns as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('text')
  reason: RunReason;

  /** The scheduled moment; null for the other reasons. */
  @Column('timestamptz', { name: 'scheduled_for', nullable: true })
  scheduledFor: Date | null;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  @Column('integer')
  attempt: number;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
