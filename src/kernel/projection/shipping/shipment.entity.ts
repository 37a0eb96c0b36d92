import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A shipment that has started and is not yet completely in ClickHouse. Node-local. */
@Entity('shipments')
export class ShipmentRow {
  /** bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('bigint', { name: 'outbox_ids', array: true })
  outboxIds: string[];

  /** The process that delivers it, by its lease. Another one takes over when that has expired. */
  @Column('uuid')
  holder: string;

  /** The projects of its rows. Another process ships nothing of them meanwhile. */
  @Column('integer', { array: true })
  projects: number[];

  /** How the rows of each cargo are divided into inserts. */
  @Column('jsonb')
  chunks: object;

  @Column('timestamptz', { name: 'claimed_at' })
  claimedAt: Date;

  /** The only project of the shipment; null when it may have several. */
  @Column('integer', { name: 'project_id', nullable: true })
  projectId: number | null;

  /** The shipment that was divided, of which this one is a part. */
  @Column('bigint', { nullable: true })
  replaces: string | null;

  /** How often it failed for a reason of its own. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { nullable: true })
  error: string | null;

  /** Since then nothing of its project is shipped, until it is tried again by command. */
  @Column('timestamptz', { name: 'parked_at', nullable: true })
  parkedAt: Date | null;
}
