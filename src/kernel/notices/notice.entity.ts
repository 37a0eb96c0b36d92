import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';

export const noticeTypes = [
  'alert.fired',
  'alert.resolved',
  'deletion.finished',
  'import.finished',
  'quota.near',
] as const;

export type NoticeType = (typeof noticeTypes)[number];

/** A rare event of a project, of which webhooks tell. */
@Entity('notices')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'notices_project_id_fkey' })
@Unique('notices_project_id_type_key_key', ['projectId', 'type', 'key'])
@Index('notices_at', ['at'])
export class Notice {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Grows in the order of commits, because the id is taken while no other transaction of the project appends notices. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('text')
  type: NoticeType;

  /** The event that the notice is about: there is one notice of a type about it. */
  @Column('text')
  key: string;

  /** Has ids and numbers, and no data of persons. */
  @Column('jsonb')
  data: Readonly<Record<string, unknown>>;

  @Column('timestamptz')
  at: Date;
}
