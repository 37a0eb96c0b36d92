import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * An entry about the account of a user: its keys and sessions, changes of the user, or a project that the user deleted. None of
 * these belongs to a project, so the table is global.
 */
@Entity('account_activity')
export class AccountActivityRow {
  /** The user whose account the entry is about. */
  @PrimaryColumn('integer', { name: 'account_id' })
  accountId: number;

  /** A version 7 UUID, by which entries are sorted. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  scope: string;

  @Column('text', { name: 'item_id' })
  itemId: string;

  @Column('text')
  activity: string;

  /** The user who acted; null for an operator at the command line. */
  @Column('integer', { name: 'user_id', nullable: true })
  userId: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('jsonb')
  detail: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
