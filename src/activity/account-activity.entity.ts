import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What happened to the keys of a user, in which request. Keys belong to no project, so the table is global. */
@Entity('account_activity')
export class AccountActivityRow {
  /** The user whose keys these are. */
  @PrimaryColumn('integer', { name: 'account_id' })
  accountId: number;

  /** Version 7: entries sort by it. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  scope: string;

  @Column('text', { name: 'item_id' })
  itemId: string;

  @Column('text')
  activity: string;

  /** The user who acted. Null: an operator at the command line. */
  @Column('integer', { name: 'user_id', nullable: true })
  userId: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('jsonb')
  detail: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
