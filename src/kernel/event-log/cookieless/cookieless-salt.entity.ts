import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The random key of a day with which all processes make distinct ids of cookieless visitors. */
@Entity('cookieless_salts')
export class CookielessSalt {
  /** In UTC. */
  @PrimaryColumn('date')
  day: string;

  @Column('bytea')
  salt: Buffer;
}
