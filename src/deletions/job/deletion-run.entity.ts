import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * `schedule`: what was requested up to a moment of the schedule. `operator`: everything requested. `second look`: only what
 * was finished so soon after its request that something still under way then may have arrived since.
 */
export type RunReason = 'schedule' | 'operator' | 'second look';

/** A run of the job that deletes events. Node-local. */
@Entity('deletion_runs')
@Unique('deletion_runs_scheduled_for_key', ['scheduledFor'])
@Check('deletion_runs_reason_check', "reason IN ('schedule', 'operator', 'second look')")
@Index('deletion_runs_open', ['number'], { where: 'finished_at IS NULL' })
export class DeletionRun {
  /** bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('text')
  reason: RunReason;

  /** The moment of the schedule. Null for the other reasons. */
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
