import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The properties of some events that arrived on one day, compressed together. */
@Entity('event_blocks')
@Index('event_blocks_dirty', ['projectId'], { where: 'is_dirty' })
export class EventBlock {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  /** In UTC. */
  @Column('date')
  day: string;

  @Column('bytea')
  body: Buffer;

  /** Whether it has properties of events that have been deleted, which the next cleaning removes. */
  @Column('boolean', { name: 'is_dirty' })
  isDirty: boolean;
}
