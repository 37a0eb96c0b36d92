import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** A request for personal data. The entry is committed before the request is worked on, and completed when the request ends. */
@Entity('audit_trail')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'audit_trail_project_id_fkey' })
@Index('audit_trail_of_user', ['projectId', 'userId', 'id'])
@Index('audit_trail_of_key', ['projectId', 'keyId', 'id'])
export class AuditEntry {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** A version 7 UUID, by which entries are sorted. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  /** Null for a signed-in user. */
  @Column('uuid', { name: 'key_id', nullable: true })
  keyId: string | null;

  /** The `operationId` in the OpenAPI document. */
  @Column('text')
  operation: string;

  /** The ids in the URL of the request, by the names of their parameters. */
  @Column('jsonb')
  ids: Readonly<Record<string, string>>;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Null while the answer is being sent, and for ever if the process was killed before its end. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** The status of the answer. Also null when nothing was sent because the client had disconnected. */
  @Column('smallint', { nullable: true })
  status: number | null;

  /** The number of records in a list; null for an answer that is no list. A bigint, which the driver returns as text. */
  @Column('bigint', { nullable: true })
  rows: string | null;

  /** False if the client or the service closed the connection before the end of the answer. */
  @Column('boolean', { name: 'is_complete', nullable: true })
  isComplete: boolean | null;
}
