import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of events that capture and imports stored in a project on one day, by the moment of their receipt, in UTC. The
 * table `arrivals` has the numbers that are not added yet.
 */
@Entity('event_days')
export class EventDay {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('date')
  day: string;

  /** bigint arrives as text. */
  @Column('bigint')
  events: string;
}
