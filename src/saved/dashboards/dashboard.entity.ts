import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../auth/users/user.entity.js';
import { Project } from '../../kernel/projects/project.entity.js';
import { Insight } from '../insights/insight.entity.js';

@Entity('dashboards')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'dashboards_project_id_fkey' })
export class Dashboard {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  /** Null together with `date_to`: each tile has the time range of its own question. */
  @Column('text', { name: 'date_from', nullable: true })
  dateFrom: string | null;

  @Column('text', { name: 'date_to', nullable: true })
  dateTo: string | null;

  /** Filters that all tiles have beside their own, as they were sent. */
  @Column('jsonb', { nullable: true })
  properties: unknown;

  /** The breakdown that all tiles have in place of their own. */
  @Column('jsonb', { name: 'breakdown_filter', nullable: true })
  breakdownFilter: object | null;

  /** The tiles that are texts. */
  @Column('jsonb', { default: [] })
  texts: object[];

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** A dashboard that a user has marked. */
@Entity('dashboard_favourites')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'dashboard_favourites_user_id_fkey', onDelete: 'CASCADE' })
@ForeignKey(() => Dashboard, ['projectId', 'dashboardId'], ['projectId', 'id'], {
  name: 'dashboard_favourites_project_id_dashboard_id_fkey',
  onDelete: 'CASCADE',
})
export class DashboardFavourite {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'dashboard_id' })
  dashboardId: number;

  @PrimaryColumn('integer', { name: 'user_id' })
  userId: number;
}

/** A saved question on a dashboard. */
@Entity('dashboard_tiles')
@ForeignKey(() => Dashboard, ['projectId', 'dashboardId'], ['projectId', 'id'], {
  name: 'dashboard_tiles_project_id_dashboard_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Insight, ['projectId', 'insightId'], ['projectId', 'id'], {
  name: 'dashboard_tiles_project_id_insight_id_fkey',
})
@Index('dashboard_tiles_of_insight', ['projectId', 'insightId'])
export class DashboardTile {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'dashboard_id' })
  dashboardId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('integer', { name: 'insight_id' })
  insightId: number;

  /** From 0, in the order in which the tiles are shown. */
  @Column('integer')
  position: number;

  /** Columns of a grid of twelve. */
  @Column('integer')
  width: number;

  /** The first column and row, from 0. Null if the tile follows those before it. */
  @Column('integer', { nullable: true })
  x: number | null;

  @Column('integer', { nullable: true })
  y: number | null;

  /** Rows of the grid. Null: the usual height. */
  @Column('integer', { nullable: true })
  height: number | null;
}
