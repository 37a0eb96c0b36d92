import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request with an `Idempotency-Key`, and its answer once it has one. The table is node-local. */
@Entity('idempotency_keys')
@Index('idempotency_keys_oldest', ['heldUntil'])
export class IdempotencyKey {
  /** 0 for a route outside projects. */
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'user_id' })
  userId: number;

  @PrimaryColumn('text')
  route: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bytea', { name: 'request_hash' })
  requestHash: Buffer;

  /** The run that holds the key. It renews `held_until`, by the clock of PostgreSQL, for as long as it lives. */
  @Column('uuid')
  holder: string;

  @Column('timestamptz', { name: 'held_until' })
  heldUntil: Date;

  /** The expiry by the clock of the request. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /**
   * The last committed transaction of the request; null while none was committed. Once it is set, the request must not run
   * again.
   */
  @Column('uuid', { name: 'last_commit', nullable: true })
  lastCommit: string | null;

  /** Null while the request runs, and when its answer was lost. */
  @Column('smallint', { nullable: true })
  status: number | null;

  @Column('text', { nullable: true })
  location: string | null;

  @Column('text', { nullable: true })
  body: string | null;
}
