import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which process does one kind of background work, and until when. */
@Entity('leases')
export class LeaseRow {
  @PrimaryColumn('text')
  name: string;

  @Column('uuid')
  holder: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
