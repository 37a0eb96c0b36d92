import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row: the newest shipment that is completely in ClickHouse. */
@Entity('projection_state')
export class ProjectionState {
  /** Always 1. */
  @PrimaryColumn('smallint')
  id: number;

  /** bigint arrives as text. */
  @Column('bigint', { name: 'last_shipment' })
  lastShipment: string;

  @Column('timestamptz', { name: 'last_shipped_at' })
  lastShippedAt: Date;
}
