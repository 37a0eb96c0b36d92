import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type ProjectRole } from '../../kernel/access/roles.js';
import { Project } from '../../kernel/projects/project.entity.js';
import { User } from '../users/user.entity.js';

/** The role of a user in a project. */
@Entity('project_members')
@Check('project_members_role_check', `role IN ('viewer', 'member', 'admin')`)
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'project_members_project_id_fkey' })
@ForeignKey(() => User, ['userId'], ['id'], { name: 'project_members_user_id_fkey', onDelete: 'CASCADE' })
// The index serves each request of a session, which reads all roles of its user.
@Index('project_members_user', ['userId'])
export class ProjectMember {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'user_id' })
  userId: number;

  @Column('text')
  role: ProjectRole;

  @Column('timestamptz', { name: 'joined_at' })
  joinedAt: Date;

  /**
   * The key that gave the present role, directly or by an invitation. Null when a session or an operator did. The key may no
   * longer exist.
   */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;
}
