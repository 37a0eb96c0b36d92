import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type UserDto } from '../kernel/access/user.dto.js';
import { userJson } from '../kernel/access/user.sql.js';
import { type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Postgres, type Queryable } from '../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql } from '../platform/postgres/sql.js';
import { type Stored } from '../platform/postgres/stored.js';
import { type ActionDto, type ActionsQuery } from './action.dto.js';
import { type Action } from './action.entity.js';
import { noAction } from './action-id.js';

export type ActionRow = Stored<Pick<Action, 'id' | 'name' | 'description' | 'steps' | 'tags' | 'createdAt'>> & {
  readonly created_by: UserDto | null;
};

const select = pgSql`
  SELECT a.id, a.name, a.description, a.steps, a.tags, a.created_at,
    ${userJson} AS created_by
  FROM actions AS a LEFT JOIN users AS u ON u.id = a.created_by`;

/** Reads actions as stored rows, and in the shape of the API. */
@Injectable()
export class ActionsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(project: ProjectContext, id: number, client?: ClientBase): Promise<ActionRow> {
    const reader: Queryable = client ?? this.postgres;
    const { rows } = await reader.query<ActionRow>(
      pgSql`${select} WHERE a.project_id = ${bound(project.id)} AND a.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noAction(id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number): Promise<ActionDto> {
    return toActionDto(await this.find(project, id));
  }

  async list(project: ProjectContext, { limit, offset, search }: ActionsQuery): Promise<Slice<ActionDto>> {
    const parts = [pgSql`a.project_id = ${bound(project.id)}`];
    const term = search?.trim() ?? '';
    if (term !== '') parts.push(pgSql`strpos(lower(a.name), lower(${bound(term)})) > 0`);
    const where = joinedSql(parts, pgSql` AND `);
    const [page, counted] = await Promise.all([
      this.postgres.query<ActionRow>(
        pgSql`${select} WHERE ${where} ORDER BY a.created_at DESC, a.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM actions AS a WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toActionDto) };
  }
}

export const toActionDto = (row: ActionRow): ActionDto => ({
  id: row.id,
  name: row.name,
  description: row.description,
  steps: row.steps.map(({ event, properties, url, url_matching, href, text }) => ({
    event,
    properties,
    url,
    url_matching,
    href,
    text,
  })),
  tags: row.tags,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  deleted: false,
});
