import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The events that one statement of a transaction added to the log. Kept for some minutes only, because the log has the events
 * themselves.
 */
@Entity('arrivals')
export class ArrivalEntry {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** The id of the transaction. A snapshot of PostgreSQL tells which transactions had ended when it was taken. */
  @PrimaryColumn('bigint')
  xid: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('uuid', { array: true })
  uuids: string[];

  /** The length of `uuids`. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  /** The number of the events that the count of their day does not contain yet: all or none. */
  @Column('integer', { default: 0 })
  uncounted: number;
}
