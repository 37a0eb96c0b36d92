import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** A notice that waits to be sent to a user. It is removed when the server has it. */
@Entity('alert_mails')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'alert_mails_project_id_fkey' })
@Index('alert_mails_due', ['nextAttemptAt'])
export class AlertMail {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** The id of the message, the same for each attempt. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('bigint', { name: 'notice_id' })
  noticeId: string;

  /** A user who has left the project by then gets no mail. */
  @Column('integer', { name: 'user_id' })
  userId: number;

  @Column('integer')
  attempts: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt: Date;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
