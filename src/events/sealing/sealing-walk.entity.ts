import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How far the log of a project has been walked for events that no queue names: all those of a restored backup. A project without
 * a row is walked.
 */
@Entity('sealing_walks')
export class SealingWalk {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** The last uuid; null before the first. */
  @Column('uuid', { name: 'walked_until', nullable: true })
  walkedUntil: string | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
