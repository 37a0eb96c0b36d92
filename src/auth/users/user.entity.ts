import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

@Entity('users')
@Unique('users_uuid_key', ['uuid'])
@Unique('users_distinct_id_key', ['distinctId'])
// Not synchronised, because the index is on lower(email), which TypeORM cannot express.
@Index('users_email', { synchronize: false })
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid')
  uuid: string;

  @Column('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('text', { name: 'first_name' })
  firstName: string;

  @Column('text', { name: 'last_name' })
  lastName: string;

  @Column('text')
  email: string;

  @Column('boolean', { name: 'is_email_verified' })
  isEmailVerified: boolean;

  @Column('jsonb', { name: 'hedgehog_config' })
  hedgehogConfig: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Null when the user has no password, and signs in by a link or by single sign-on. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  /** True for a user who may do everything in every project, and manages the users of the installation. */
  @Column('boolean', { name: 'is_owner', default: false })
  isOwner: boolean;

  /**
   * The key that made the user, directly or by an invitation, or that made the user an owner. Null when a session or an operator
   * did. The key may no longer exist.
   */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
