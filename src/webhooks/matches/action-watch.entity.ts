import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/**
 * How far the arrivals of a project were compared with an action that a webhook names: those of transactions that had ended in
 * `snapshot`, and of those that ended up to `until` the arrivals up to (`afterXid`, `afterId`).
 */
@Entity('action_watches')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'action_watches_project_id_fkey' })
export class ActionWatch {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'action_id' })
  actionId: number;

  @Column('text')
  snapshot: string;

  @Column('text', { nullable: true })
  until: string | null;

  @Column('bigint', { name: 'after_xid', default: 0 })
  afterXid: string;

  @Column('bigint', { name: 'after_id', default: 0 })
  afterId: string;

  /** When `snapshot` was taken. Arrivals are kept until they were compared. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
}
