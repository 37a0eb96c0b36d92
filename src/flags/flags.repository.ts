import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type UserDto } from '../kernel/access/user.dto.js';
import { userJson } from '../kernel/access/user.sql.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type Slice } from '../platform/http/page.dto.js';
import { Postgres, type Queryable } from '../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql } from '../platform/postgres/sql.js';
import { type Stored } from '../platform/postgres/stored.js';
import { type FlagDto, type FlagsQuery } from './flag.dto.js';
import { type FeatureFlag } from './flag.entity.js';
import { noFlag } from './flag-id.js';

type Columns = 'id' | 'key' | 'name' | 'active' | 'filters' | 'tags' | 'version' | 'createdAt' | 'updatedAt';

export type FlagRow = Stored<Pick<FeatureFlag, Columns>> & {
  readonly created_by: UserDto | null;
  readonly last_modified_by: UserDto | null;
};

const select = pgSql`
  SELECT f.id, f.key, f.name, f.active, f.filters, f.tags, f.version, f.created_at, f.updated_at,
    ${userJson} AS created_by, (SELECT ${userJson} FROM users AS u WHERE u.id = f.last_modified_by) AS last_modified_by
  FROM feature_flags AS f LEFT JOIN users AS u ON u.id = f.created_by`;

/** Reads flags as stored rows, and in the shape of the API. */
@Injectable()
export class FlagsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(project: ProjectContext, id: number, client?: ClientBase): Promise<FlagRow> {
    const reader: Queryable = client ?? this.postgres;
    const { rows } = await reader.query<FlagRow>(
      pgSql`${select} WHERE f.project_id = ${bound(project.id)} AND f.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noFlag(id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number): Promise<FlagDto> {
    return toFlagDto(await this.find(project, id));
  }

  async list(project: ProjectContext, { limit, offset, search, active }: FlagsQuery): Promise<Slice<FlagDto>> {
    const parts = [pgSql`f.project_id = ${bound(project.id)}`];
    const term = search?.trim() ?? '';
    if (term !== '') parts.push(pgSql`strpos(lower(f.key || ' ' || f.name), lower(${bound(term)})) > 0`);
    if (active !== undefined) parts.push(pgSql`f.active = ${bound(active)}`);
    const where = joinedSql(parts, pgSql` AND `);
    const [page, counted] = await Promise.all([
      this.postgres.query<FlagRow>(
        pgSql`${select} WHERE ${where} ORDER BY f.created_at DESC, f.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM feature_flags AS f WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toFlagDto) };
  }

  /** The payload of a flag that is active, for those who get no variant: JSON as text; null if there is none. */
  async payloadOf(project: ProjectContext, key: string): Promise<string | null> {
    const { rows } = await this.postgres.query<{ payload: string | null }>(pgSql`
      SELECT CASE WHEN active THEN filters -> 'payloads' ->> 'true' END AS payload FROM feature_flags
      WHERE project_id = ${bound(project.id)} AND (key = ${bound(key)} OR id::text = ${bound(key)})
      ORDER BY key = ${bound(key)} DESC LIMIT 1`);
    if (!rows[0]) throw noFlag(key);
    return rows[0].payload;
  }
}

export const toFlagDto = ({ created_at: createdAt, updated_at: updatedAt, ...row }: FlagRow): FlagDto => {
  const [condition, ...others] = row.filters.groups;
  const isSimple =
    condition !== undefined &&
    others.length === 0 &&
    condition.properties.length === 0 &&
    row.filters.multivariate === null;
  return {
    ...row,
    is_simple_flag: isSimple,
    rollout_percentage: isSimple ? (condition.rollout_percentage ?? 100) : null,
    ensure_experience_continuity: false,
    evaluation_runtime: 'all',
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    deleted: false,
  };
};
