import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Records what happened to a user's keys, and in which request. Keys belong to no project, so the table is global. */
@Entity('account_activity')
export class AccountActivityRow {
  /** The user whose keys these are. */
  @PrimaryColumn('integer', { name: 'account_id' })
  accountId: number;

  /** A version 7 UUID: entries sort by it. */
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
