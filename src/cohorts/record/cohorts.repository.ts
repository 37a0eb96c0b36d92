import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { type CohortsQuery } from './cohort-queries.dto.js';
import { type CalculationErrorDto, type CohortDto } from '../cohort.dto.js';
import { type UploadDto } from './upload.dto.js';
import { CohortCounts } from '../../kernel/memberships/cohort-counts.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Cohort } from '../../kernel/memberships/cohort.entity.js';
import { bound, joinedSql, pgSql } from '../../platform/postgres/sql.js';
import { noCohort } from '../../kernel/memberships/cohort-id.js';
import { type Problem, conflict } from '../../platform/errors/problem.js';
import { lockProject, quotaReached, quotasOf } from '../../kernel/projects/projects.repository.js';

export type CohortRow = Stored<
  Pick<
    Cohort,
    | 'id'
    | 'name'
    | 'description'
    | 'groups'
    | 'filters'
    | 'query'
    | 'isStatic'
    | 'groupTypeIndex'
    | 'deleted'
    | 'createdAt'
    | 'version'
    | 'isCalculating'
    | 'lastCalculation'
    | 'errorsCalculating'
  >
> & {
  readonly calculation_error: CalculationErrorDto | null;
  readonly created_by: UserDto | null;
  readonly upload: UploadDto | null;
};

const select = pgSql`
  SELECT c.id, c.name, c.description, c.groups, c.filters, c.query, c.is_static, c.group_type_index, c.deleted, c.created_at, c.version,
    c.is_calculating, c.last_calculation, c.errors_calculating, c.calculation_error,
    ${userJson} AS created_by,
    CASE WHEN up.cohort_id IS NOT NULL THEN json_build_object('rows', up.rows, 'matched', up.matched, 'unknown', up.unknown,
      'duplicates', up.duplicates) END AS upload
  FROM cohorts AS c
  LEFT JOIN users AS u ON u.id = c.created_by
  LEFT JOIN cohort_uploads AS up ON up.project_id = c.project_id AND up.cohort_id = c.id`;

const newestFirst = pgSql`ORDER BY c.created_at DESC, c.id DESC`;

/** Reads cohorts as stored rows, and in the shape of the API. */
@Injectable()
export class CohortsRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly counts: CohortCounts,
  ) {}

  /** Returns a cohort, even a deleted one. */
  async find(project: ProjectContext, id: number, client?: ClientBase): Promise<CohortRow> {
    const reader: Queryable = client ?? this.postgres;
    const { rows } = await reader.query<CohortRow>(
      pgSql`${select} WHERE c.project_id = ${bound(project.id)} AND c.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noCohort(id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number, now: Date): Promise<CohortDto> {
    const [dto] = await this.toDtos(project, [await this.find(project, id)], now);
    return dto as CohortDto;
  }

  async list(project: ProjectContext, query: CohortsQuery, now: Date): Promise<Slice<CohortDto>> {
    const { limit, offset, search, type, actor, group_type_index: groupType } = query;
    const parts = [pgSql`c.project_id = ${bound(project.id)}`, pgSql`NOT c.deleted`];
    const term = search?.trim() ?? '';
    if (term !== '') parts.push(pgSql`strpos(lower(c.name), lower(${bound(term)})) > 0`);
    if (type !== undefined) parts.push(type === 'static' ? pgSql`c.is_static` : pgSql`NOT c.is_static`);
    if (actor !== undefined)
      parts.push(actor === 'group' ? pgSql`c.group_type_index IS NOT NULL` : pgSql`c.group_type_index IS NULL`);
    if (groupType !== undefined) parts.push(pgSql`c.group_type_index = ${bound(groupType)}`);
    const where = joinedSql(parts, pgSql` AND `);
    const [page, counted] = await Promise.all([
      this.postgres.query<CohortRow>(
        pgSql`${select} WHERE ${where} ${newestFirst} LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM cohorts AS c WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: await this.toDtos(project, page.rows, now) };
  }

  /** Returns the live cohorts that have a calculated version; with `ids`, only those of them. */
  async live(project: ProjectContext, ids: readonly number[] | null = null): Promise<CohortRow[]> {
    const among = bound(ids);
    const { rows } = await this.postgres.query<CohortRow>(
      pgSql`${select} WHERE c.project_id = ${bound(project.id)} AND NOT c.deleted AND c.version IS NOT NULL
        AND (${among}::integer[] IS NULL OR c.id = ANY (${among}::integer[])) ${newestFirst}`,
    );
    return rows;
  }

  async toDtos(project: ProjectContext, rows: readonly CohortRow[], now: Date): Promise<CohortDto[]> {
    const counts = await this.counts.of(project, rows, now);
    return rows.map((row) => toCohortDto(row, row.version === null ? null : (counts.get(row.id) ?? 0)));
  }
}

export const toCohortDto = (row: CohortRow, count: number | null): CohortDto => ({
  id: row.id,
  name: row.name,
  description: row.description,
  groups: row.groups,
  deleted: row.deleted,
  actor: row.group_type_index === null ? 'person' : 'group',
  group_type_index: row.group_type_index,
  filters: row.filters,
  query: row.query,
  is_calculating: row.is_calculating,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  last_calculation: row.last_calculation?.toISOString() ?? null,
  errors_calculating: row.errors_calculating,
  count,
  is_static: row.is_static,
  experiment_set: [],
  version: row.version,
  calculation_error: row.calculation_error,
  upload: row.upload,
});

export const maxLiveCohorts = 10_000;

/**
 * Refuses early, so that the members of a cohort over the cap are not read in vain. Other requests may still make cohorts
 * meanwhile.
 */
export const refuseWithoutRoom = async (client: Queryable, project: ProjectContext): Promise<void> => {
  const cap = await capOf(client, project);
  if ((await liveCohorts(client, project)) >= cap.most) throw cap.problem;
};

/**
 * Must be called last in the transaction that makes or restores a cohort. Other transactions that do so wait from this call until
 * the commit; after an earlier call they would also wait for the upload.
 */
export const refuseOneTooMany = async (client: ClientBase, project: ProjectContext): Promise<void> => {
  await lockProject(client, project.id);
  const cap = await capOf(client, project);
  if ((await liveCohorts(client, project)) > cap.most) throw cap.problem;
};

/** Returns the quota of the project, or the limit of all projects if that is lower. */
const capOf = async (
  client: Queryable,
  { id }: ProjectContext,
): Promise<{ readonly most: number; readonly problem: Problem }> => {
  const { cohorts: quota } = await quotasOf(client, id);
  return quota === null || quota >= maxLiveCohorts
    ? { most: maxLiveCohorts, problem: tooMany() }
    : {
        most: quota,
        problem: quotaReached(
          'cohorts',
          quota,
          'cohorts that are not deleted',
          'delete cohorts that are no longer used',
        ),
      };
};

const liveCohorts = async (client: Queryable, { id }: ProjectContext): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM cohorts WHERE project_id = ${bound(id)} AND NOT deleted`,
  );
  return Number(rows[0]?.count);
};

const tooMany = (): Problem =>
  conflict(
    `A project can have at most ${maxLiveCohorts} cohorts that are not deleted: delete cohorts that are no longer used`,
  );
