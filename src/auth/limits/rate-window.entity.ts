import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The requests under one name that all processes together have counted in a window of a limit. */
@Entity('rate_windows')
export class RateWindow {
  /** The limit, such as `user`. */
  @PrimaryColumn('text')
  policy: string;

  /** The counted one: the id of a user, or the hash of an address or of an account. */
  @PrimaryColumn('text')
  name: string;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  @Column('integer')
  used: number;

  /** Of the last allotment. */
  @Column('integer')
  granted: number;
}
