import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../users/user.entity.js';

/** A signed-in browser. The token of its cookie is never stored; `digest` is enough to recognise it. */
@Entity('sessions')
@Unique('sessions_digest_key', ['digest'])
@ForeignKey(() => User, ['userId'], ['id'], { name: 'sessions_user_id_fkey', onDelete: 'CASCADE' })
@Index('sessions_user', ['userId', 'createdAt', 'id'])
export class Session {
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('bytea')
  digest: Buffer;

  /** The network of the address from which the user signed in. */
  @Column('text')
  address: string;

  @Column('text', { name: 'user_agent' })
  userAgent: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Exact to the hour, like `expires_at`, which is moved at the same time. */
  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
