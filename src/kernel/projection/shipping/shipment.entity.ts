import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A shipment that has started and is not yet completely in ClickHouse. Node-local. */
@Entity('shipments')
export class ShipmentRow {
  /** bigint arrives as text. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  number: string;

  @Column('bigint', { name: 'outbox_ids', array: true })
  outboxIds: string[];

  /** The lease of the process that delivers the shipment. Another process takes it over when this lease has expired. */
  @Column('uuid')
  holder: string;

  /** The projects of the shipment's rows. Other processes ship nothing of these projects meanwhile. */
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

  /** The number of the divided shipment of which this one is a part. */
  @Column('bigint', { nullable: true })
  replaces: string | null;

  /** How often the shipment failed for a reason of its own. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { nullable: true })
  error: string | null;

  /** From this moment on nothing of the project is shipped, until the shipment is tried again by command. */
  @Column('timestamptz', { name: 'parked_at', nullable: true })
  parkedAt: Date | null;
}
