import { Check, Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

export type RebuildPhase = 'requested' | 'copying' | 'draining' | 'swapping' | 'done' | 'failed';

/** A rebuild of the projection and its progress. Node-local. Every bigint arrives as text. */
@Entity('projection_rebuilds')
@Check('projection_rebuilds_phase_check', "phase IN ('requested', 'copying', 'draining', 'swapping', 'done', 'failed')")
export class RebuildRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('text')
  phase: RebuildPhase;

  @Column('integer')
  attempt: number;

  /** The ids of the rows that were in the outbox when copying began. */
  @Column('bigint', { name: 'outbox_ids', array: true, nullable: true })
  outboxIds: string[] | null;

  @Column('bigint', { name: 'persons_total' })
  personsTotal: string;

  @Column('bigint', { name: 'persons_done' })
  personsDone: string;

  @Column('bigint', { name: 'events_total' })
  eventsTotal: string;

  @Column('bigint', { name: 'events_done' })
  eventsDone: string;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
