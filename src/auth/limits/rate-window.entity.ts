import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The requests of one name that all processes together have counted in a window of a limit. */
@Entity('rate_windows')
export class RateWindow {
  /** The name of the limit, such as `user`. */
  @PrimaryColumn('text')
  policy: string;

  /** The id of a user, or the hash of an address or of an account. */
  @PrimaryColumn('text')
  name: string;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  @Column('integer')
  used: number;

  /** The number of requests in the last allotment. */
  @Column('integer')
  granted: number;
}
