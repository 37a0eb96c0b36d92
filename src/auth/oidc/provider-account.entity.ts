import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../users/user.entity.js';

/** The account of a user at a provider of single sign-on. `subject` is the provider's own id of the account and never changes. */
@Entity('provider_accounts')
@Unique('provider_accounts_user_id_issuer_key', ['userId', 'issuer'])
@ForeignKey(() => User, ['userId'], ['id'], { name: 'provider_accounts_user_id_fkey', onDelete: 'CASCADE' })
export class ProviderAccount {
  @PrimaryColumn('text')
  issuer: string;

  @PrimaryColumn('text')
  subject: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('timestamptz', { name: 'connected_at' })
  connectedAt: Date;
}
