import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The events that one statement of a transaction added to the log. Kept for minutes: the log has the events themselves. */
@Entity('arrivals')
export class ArrivalEntry {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** The transaction. A snapshot of PostgreSQL says which transactions had committed when it was taken. */
  @PrimaryColumn('bigint')
  xid: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('uuid', { array: true })
  uuids: string[];

  /** The number of uuids. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  /** How many of the events the count of their day still lacks: all, or none. */
  @Column('integer', { default: 0 })
  uncounted: number;
}
