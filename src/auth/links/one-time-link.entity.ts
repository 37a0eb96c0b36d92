import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../users/user.entity.js';

/** `sign_in` opens a session at once; `set_password` opens a session after a new password was set. */
export type LinkPurpose = 'sign_in' | 'set_password';

/** A link that works once for one user. Its token is never stored; `digest` is enough to recognise it. */
@Entity('one_time_links')
@Unique('one_time_links_digest_key', ['digest'])
@Check('one_time_links_purpose_check', `purpose IN ('sign_in', 'set_password')`)
@ForeignKey(() => User, ['userId'], ['id'], { name: 'one_time_links_user_id_fkey', onDelete: 'CASCADE' })
@Index('one_time_links_user', ['userId'])
export class OneTimeLink {
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('text')
  purpose: LinkPurpose;

  @Column('bytea')
  digest: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /**
   * The key that made the link, which ends when the key is revoked. Null when a session or an operator made it. The key may no
   * longer exist.
   */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
