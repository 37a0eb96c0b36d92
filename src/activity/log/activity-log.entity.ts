import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** An entry about a change, its author and its request. It is written in the transaction of the change, and never altered. */
@Entity('activity_log')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'activity_log_project_id_fkey' })
@Index('activity_log_of_item', ['projectId', 'scope', 'itemId', 'id'])
@Index('activity_log_of_scope', ['projectId', 'scope', 'id'])
export class ActivityLogRow {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** A version 7 UUID, by which entries are sorted. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  scope: string;

  @Column('text', { name: 'item_id' })
  itemId: string;

  @Column('text')
  activity: string;

  /** Null for the service itself. */
  @Column('integer', { name: 'user_id', nullable: true })
  userId: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('jsonb')
  detail: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
