import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { type Slice } from '../../platform/http/page.dto.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { endOfDay, startOfDay } from '../../platform/time/intervals.js';
import { requireDate } from '../../platform/time/dates.js';
import { noRecord } from '../record-id.js';
import { type AnnotationDto, type AnnotationsQuery } from './annotation.dto.js';
import { type Annotation } from './annotation.entity.js';

export type AnnotationRow = Stored<Omit<Annotation, 'projectId' | 'createdBy'>> & {
  readonly created_by: UserDto | null;
};

const select = pgSql`
  SELECT a.id, a.content, a.date_marker, a.scope, a.dashboard_id, a.insight_id, a.creation_type, a.created_at, a.updated_at,
    ${userJson} AS created_by
  FROM annotations AS a LEFT JOIN users AS u ON u.id = a.created_by`;

/** Reads annotations as stored rows, and in the shape of the API. */
@Injectable()
export class AnnotationsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find({ id: projectId }: ProjectContext, id: number, client: Queryable = this.postgres): Promise<AnnotationRow> {
    const { rows } = await client.query<AnnotationRow>(
      pgSql`${select} WHERE a.project_id = ${bound(projectId)} AND a.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noRecord('annotation', id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number): Promise<AnnotationDto> {
    return toAnnotationDto(await this.find(project, id));
  }

  /** Lists annotations, the latest moment first. */
  async list(project: ProjectContext, query: AnnotationsQuery, now: Date): Promise<Slice<AnnotationDto>> {
    const where = conditionOf(project, query, now);
    const [page, counted] = await Promise.all([
      this.postgres.query<AnnotationRow>(
        pgSql`${select} WHERE ${where} ORDER BY a.date_marker DESC, a.id DESC LIMIT ${bound(query.limit)} OFFSET ${bound(query.offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM annotations AS a WHERE ${where}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toAnnotationDto) };
  }
}

const conditionOf = (
  project: ProjectContext,
  { search, scope, date_from: from, date_to: to }: AnnotationsQuery,
  now: Date,
): PgSql => {
  const term = search?.trim() ?? '';
  return joinedSql(
    [
      pgSql`a.project_id = ${bound(project.id)}`,
      ...(term === '' ? [] : [pgSql`strpos(lower(a.content), lower(${bound(term)})) > 0`]),
      ...(scope === undefined ? [] : [pgSql`a.scope = ${bound(scope)}`]),
      ...(from ? [pgSql`a.date_marker >= ${bound(markedMoment(from, 'date_from', now, project))}`] : []),
      ...(to ? [pgSql`a.date_marker <= ${bound(markedMoment(to, 'date_to', now, project))}`] : []),
    ],
    pgSql` AND `,
  );
};

/** A day is its beginning, but for the end of a range, which includes the day. */
export const markedMoment = (text: string, attr: string, now: Date, project: ProjectContext): Date => {
  const { at, precision } = requireDate(text, attr, now, project);
  if (precision === 'instant') return at.toJSDate();
  return (attr === 'date_to' ? endOfDay(at) : startOfDay(at)).toJSDate();
};

export const toAnnotationDto = (row: AnnotationRow): AnnotationDto => ({
  id: row.id,
  content: row.content,
  date_marker: row.date_marker.toISOString(),
  scope: row.scope,
  dashboard_id: row.dashboard_id,
  dashboard_item: row.insight_id,
  creation_type: row.creation_type,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  deleted: false,
});
