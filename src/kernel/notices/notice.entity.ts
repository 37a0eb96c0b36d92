import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** Notices of what happened to persons. They come in masses, so that one message has many. */
export const personNoticeTypes = ['person.created', 'person.deleted', 'person.merged'] as const;

export type PersonNoticeType = (typeof personNoticeTypes)[number];

export const noticeTypes = [
  'alert.fired',
  'alert.resolved',
  'deletion.finished',
  'import.finished',
  ...personNoticeTypes,
  'quota.near',
] as const;

export type NoticeType = (typeof noticeTypes)[number];

export const isOfPersons = (type: string): boolean => personNoticeTypes.some((known) => known === type);

/** An event of a project, of which webhooks tell. */
@Entity('notices')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'notices_project_id_fkey' })
@Unique('notices_project_id_type_key_key', ['projectId', 'type', 'key'])
@Index('notices_at', ['at'])
@Index('notices_type', ['projectId', 'type', 'id'])
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
