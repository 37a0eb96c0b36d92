import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A shipment that has begun and is not yet completely in ClickHouse. Node-local. */
@Entity('shipments')
export class ShipmentRow {
  /** bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('bigint', { name: 'outbox_ids', array: true })
  outboxIds: string[];

  /** How the rows of each cargo are divided into inserts. */
  @Column('jsonb')
  chunks: object;

  @Column('timestamptz', { name: 'claimed_at' })
  claimedAt: Date;
}
