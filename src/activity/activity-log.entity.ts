import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What was changed, by whom, in which request. Written in the transaction of the change, never changed again. */
@Entity('activity_log')
// By its name, because the projects are above this folder.
@ForeignKey('Project', ['projectId'], ['id'], { name: 'activity_log_project_id_fkey' })
@Index('activity_log_of_item', ['projectId', 'scope', 'itemId', 'id'])
@Index('activity_log_of_scope', ['projectId', 'scope', 'id'])
export class ActivityLogRow {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Version 7: entries sort by it. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  scope: string;

  @Column('text', { name: 'item_id' })
  itemId: string;

  @Column('text')
  activity: string;

  /** Null: the service itself. */
  @Column('integer', { name: 'user_id', nullable: true })
  userId: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('jsonb')
  detail: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
