import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type ProjectRole } from '../../kernel/access/roles.js';
import { Project } from '../../kernel/projects/project.entity.js';
import { User } from '../users/user.entity.js';

/** A link that makes one person a member of a project. An accepted or revoked invitation no longer has a row. */
@Entity('invitations')
@Check('invitations_role_check', `role IN ('viewer', 'member', 'admin')`)
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'invitations_project_id_fkey' })
@ForeignKey(() => User, ['invitedBy'], ['id'], { name: 'invitations_invited_by_fkey', onDelete: 'CASCADE' })
@Index('invitations_digest', ['digest'])
@Index('invitations_invited_by', ['invitedBy'])
export class Invitation {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  email: string;

  @Column('text')
  role: ProjectRole;

  @Column('bytea')
  digest: Buffer;

  /** The user who sent the invitation, which ends with the user's membership. */
  @Column('integer', { name: 'invited_by', nullable: true })
  invitedBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /**
   * The key that made the invitation, which ends when the key is revoked. Null when a session or an operator made it. The key may
   * no longer exist.
   */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
