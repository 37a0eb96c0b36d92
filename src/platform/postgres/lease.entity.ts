import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The process that does one kind of background work, and the end of its lease. */
@Entity('leases')
export class LeaseRow {
  @PrimaryColumn('text')
  name: string;

  @Column('uuid')
  holder: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
