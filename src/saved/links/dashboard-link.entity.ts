import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Dashboard } from '../dashboards/dashboard.entity.js';

/** A link that shows a dashboard to anybody who has it. Its token is never stored; `digest` is enough to recognise it. */
@Entity('dashboard_links')
@Unique('dashboard_links_digest_key', ['projectId', 'digest'])
@ForeignKey(() => Dashboard, ['projectId', 'dashboardId'], ['projectId', 'id'], {
  name: 'dashboard_links_dashboard_fkey',
  onDelete: 'CASCADE',
})
export class DashboardLink {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'dashboard_id' })
  dashboardId: number;

  /** Whom it is for, as its maker wrote it. */
  @Column('text', { default: '' })
  label: string;

  @Column('bytea')
  digest: Buffer;

  /** A link that a session made works while this user may change dashboards of the project. */
  @Column('integer', { name: 'created_by' })
  createdBy: number;

  /** The key that made it: the link works while the key is valid. Null: a session. */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
