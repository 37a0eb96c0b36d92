import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, type PgSql, pgSql } from '../../platform/postgres/sql.js';
import { readSmallId } from '../../platform/values/ids.js';
import { digestOfSecret, isSecret } from '../../platform/values/secret-token.js';
import { type DashboardLink } from './dashboard-link.entity.js';
import { type DashboardLinkDto } from './link.dto.js';
import { mayStillShow } from './maker.js';

export interface OpenedLink {
  readonly project: ProjectContext;
  readonly dashboardId: number;
  readonly expiresAt: Date;
}

interface LinkRow {
  readonly id: string;
  readonly dashboard_id: number;
  readonly label: string;
  readonly is_forbidden: boolean;
  readonly created_by: number;
  readonly made_by_key: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly user: UserDto | null;
}

/** True if a project shows no dashboards to those without an account. */
const isForbidden = (projectId: PgSql): PgSql =>
  pgSql`(SELECT p.dashboard_links_forbidden FROM projects AS p WHERE p.id = ${projectId})`;

const columns = pgSql`l.id, l.dashboard_id, l.label, l.created_by, l.made_by_key, l.created_at, l.expires_at,
  ${isForbidden(pgSql`l.project_id`)} AS is_forbidden`;

@Injectable()
export class LinksRepository {
  constructor(private readonly postgres: Postgres) {}

  /** The dashboard that the token of a link opens; null for one that is unknown or revoked, has expired, or whose maker lost access. A project that forbids links has none. */
  async open(token: string, now: Date): Promise<OpenedLink | null> {
    const [projectText = '', secret = '', ...more] = token.split('.');
    const projectId = readSmallId(projectText);
    if (projectId === null || !isSecret(secret) || more.length > 0) return null;
    const { rows } = await this.postgres.query<LinkRow>(
      pgSql`SELECT ${columns} FROM dashboard_links AS l
       WHERE l.project_id = ${bound(projectId)} AND l.digest = ${bound(digestOfSecret(secret))}`,
    );
    const [row] = rows;
    const project = row ? await findProject(this.postgres, projectId) : null;
    if (!row || !project || !(await this.works(project, row, now))) return null;
    return { project, dashboardId: row.dashboard_id, expiresAt: row.expires_at };
  }

  /** The links of a dashboard, newest first. */
  async list(project: ProjectContext, dashboardId: number, now: Date): Promise<DashboardLinkDto[]> {
    const { rows } = await this.postgres.query<LinkRow>(
      pgSql`SELECT ${columns}, ${userJson} AS user FROM dashboard_links AS l LEFT JOIN users AS u ON u.id = l.created_by
       WHERE l.project_id = ${bound(project.id)} AND l.dashboard_id = ${bound(dashboardId)} ORDER BY l.created_at DESC, l.id DESC`,
    );
    return Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        label: row.label,
        works: await this.works(project, row, now),
        created_by: row.user,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
      })),
    );
  }

  /** True if the project has no links that work. */
  async areForbidden(client: Queryable, { id }: ProjectContext): Promise<boolean> {
    const { rows } = await client.query<{ forbidden: boolean }>(
      pgSql`SELECT ${isForbidden(pgSql`${bound(id)}`)} AS forbidden`,
    );
    return rows[0]?.forbidden ?? false;
  }

  async insert(client: ClientBase, link: DashboardLink): Promise<void> {
    await client.query(pgSql`
      INSERT INTO dashboard_links (project_id, id, dashboard_id, label, digest, created_by, made_by_key, created_at, expires_at)
      VALUES (${bound(link.projectId)}, ${bound(link.id)}, ${bound(link.dashboardId)}, ${bound(link.label)}, ${bound(link.digest)},
        ${bound(link.createdBy)}, ${bound(link.madeByKey)}, ${bound(link.createdAt)}, ${bound(link.expiresAt)})`);
  }

  async count(client: Queryable, { id }: ProjectContext, dashboardId: number): Promise<number> {
    const { rows } = await client.query<{ count: string }>(
      pgSql`SELECT count(*) FROM dashboard_links WHERE project_id = ${bound(id)} AND dashboard_id = ${bound(dashboardId)}`,
    );
    return Number(rows[0]?.count);
  }

  /** Returns false if there is none. */
  async delete(client: ClientBase, project: ProjectContext, dashboardId: number, id: string): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`DELETE FROM dashboard_links
       WHERE project_id = ${bound(project.id)} AND dashboard_id = ${bound(dashboardId)} AND id = ${bound(id)}`,
    );
    return rowCount === 1;
  }

  /** A link can do nothing that its maker cannot: the key with which it was made, or else the user. */
  private async works(project: ProjectContext, row: LinkRow, now: Date): Promise<boolean> {
    return !row.is_forbidden && row.expires_at > now && (await mayStillShow(this.postgres, project, row, now));
  }
}
