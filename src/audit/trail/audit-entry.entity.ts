import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** One request with personal data. The entry is committed before the work on the request begins, and completed when it ends. */
@Entity('audit_trail')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'audit_trail_project_id_fkey' })
@Index('audit_trail_of_user', ['projectId', 'userId', 'id'])
@Index('audit_trail_of_key', ['projectId', 'keyId', 'id'])
export class AuditEntry {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** A version 7 UUID: entries sort by it. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'user_id' })
  userId: number;

  /** Null: a signed-in user. */
  @Column('uuid', { name: 'key_id', nullable: true })
  keyId: string | null;

  /** The `operationId` of the API document. */
  @Column('text')
  operation: string;

  /** The ids that the address of the request names, by the names of their parameters. */
  @Column('jsonb')
  ids: Readonly<Record<string, string>>;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Null: the answer goes on, or the process was killed meanwhile. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** Null also when nothing was sent, because the client had disconnected. */
  @Column('smallint', { nullable: true })
  status: number | null;

  /** bigint arrives as text. Null for an answer that is no list. */
  @Column('bigint', { nullable: true })
  rows: string | null;

  /** False: the client or the service ended the connection before the end of the answer. */
  @Column('boolean', { name: 'is_complete', nullable: true })
  isComplete: boolean | null;
}
