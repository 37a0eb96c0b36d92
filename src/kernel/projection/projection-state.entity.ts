import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row: which ClickHouse has the projection, and the newest shipment that is completely in it. */
@Entity('projection_state')
export class ProjectionState {
  /** Always 1. */
  @PrimaryColumn('smallint')
  id: number;

  /** The largest number of a complete shipment; null until something was shipped. bigint arrives as text. */
  @Column('bigint', { name: 'last_shipment', nullable: true })
  lastShipment: string | null;

  @Column('timestamptz', { name: 'last_shipped_at', nullable: true })
  lastShippedAt: Date | null;

  /** A random uuid, which stays the same as long as this PostgreSQL exists. */
  @Column('uuid', { nullable: true })
  identity: string | null;

  /** How often a database of ClickHouse became the projection. The present one is marked with this number and the identity. */
  @Column('integer', { default: 0 })
  generation: number;

  /** The version of the newest release that has migrated; processes of an earlier release ship nothing. */
  @Column('integer', { default: 0 })
  version: number;

  /** False until a rebuild has filled a database that was empty. */
  @Column('boolean', { name: 'is_filled', default: true })
  isFilled: boolean;
}
