import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** Notices of what happened to persons. They come in masses, so that one message has many. */
export const personNoticeTypes = ['person.created', 'person.deleted', 'person.merged'] as const;

export type PersonNoticeType = (typeof personNoticeTypes)[number];

export const noticeTypes = [
  'alert.fired',
  'alert.resolved',
  'dashboard.sent',
  'deletion.finished',
  'import.finished',
  ...personNoticeTypes,
  'quota.near',
] as const;

/** A match of an action has the id of the action in its stored type, so that a webhook reads those of its own action alone. */
const actionMatched = 'action.matched';
export const matchType = (actionId: number | string) => `${actionMatched}:${actionId}` as const;

export type NoticeType = (typeof noticeTypes)[number] | ReturnType<typeof matchType>;

const isMatch = (type: string): boolean => type.startsWith(matchType(''));

/** The field of a message that lists several notices of one type; null for notices that are sent one by one. */
export const listFieldOf = (type: string): 'persons' | 'events' | null => {
  if (isMatch(type)) return 'events';
  return personNoticeTypes.some((known) => known === type) ? 'persons' : null;
};

/** The type as webhooks name it. */
export const shownType = <T extends string>(type: T): T | typeof actionMatched =>
  isMatch(type) ? actionMatched : type;

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
