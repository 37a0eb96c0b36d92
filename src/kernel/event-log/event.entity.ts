import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The event log. It records the distinct id; `person_distinct_ids` records the person that this id belongs to. */
@Entity('events')
@Index('events_by_distinct_id', ['projectId', 'distinctId'])
export class Event {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  uuid: string;

  @Column('text')
  event: string;

  @Column('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('timestamptz')
  timestamp: Date;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  /** The properties of the event; null when a block has them. */
  @Column('jsonb', { nullable: true })
  properties: object | null;

  /** The block that has the properties; null while the row itself has them. */
  @Column('uuid', { nullable: true })
  block: string | null;

  /** The size of properties that are in a block. */
  @Column('integer', { name: 'properties_bytes', nullable: true })
  propertiesBytes: number | null;
}
