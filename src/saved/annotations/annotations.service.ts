import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { noRecord } from '../record-id.js';
import { assertRoom, oneWriterAtATime } from '../saved.repository.js';
import { type AnnotationDto, type CreateAnnotationBody, type UpdateAnnotationBody } from './annotation.dto.js';
import { type AnnotationScope } from './annotation.entity.js';
import { type AnnotationRow, AnnotationsRepository, markedMoment, toAnnotationDto } from './annotations.repository.js';

export const maxAnnotations = 10_000;

const log = new ItemLog('Annotation');

interface Described {
  readonly content: string;
  readonly date_marker: string;
  readonly scope: AnnotationScope;
  readonly dashboard_id: number | null;
  readonly dashboard_item: number | null;
  readonly creation_type: string;
}

/** Creates, changes and deletes annotations. */
@Injectable()
export class AnnotationsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: AnnotationsRepository,
  ) {}

  create(project: ProjectContext, body: CreateAnnotationBody, author: Author): Promise<AnnotationDto> {
    const { dashboard_id: dashboard = null, dashboard_item: insight = null } = body;
    const after: Described = {
      content: body.content,
      date_marker: markerOf(body, project, author),
      scope: body.scope ?? (insight !== null ? 'dashboard_item' : dashboard !== null ? 'dashboard' : 'project'),
      ...{ dashboard_id: dashboard, dashboard_item: insight, creation_type: body.creation_type ?? 'USR' },
    };
    return oneWriterAtATime(this.postgres, project, async (client) => {
      await assertRoom(client, project, { table: pgSql`annotations` }, { most: maxAnnotations, kind: 'annotations' });
      await assertShown(client, project, after);
      const { rows } = await client.query<{ id: number }>(
        pgSql`INSERT INTO annotations (project_id, content, date_marker, scope, dashboard_id, insight_id, creation_type,
           created_by, created_at, updated_at)
         VALUES (${bound(project.id)}, ${bound(after.content)}, ${bound(after.date_marker)}, ${bound(after.scope)},
           ${bound(after.dashboard_id)}, ${bound(after.dashboard_item)}, ${bound(after.creation_type)},
           ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.now)})
         RETURNING id`,
      );
      const id = rows[0]?.id ?? 0;
      await log.record(client, project, { id, activity: 'created', name: null, changes: log.created(after) }, author);
      return toAnnotationDto(await this.rows.find(project, id, client));
    });
  }

  update(project: ProjectContext, id: number, body: UpdateAnnotationBody, author: Author): Promise<AnnotationDto> {
    if (body.content === null) throw required('content');
    return oneWriterAtATime(this.postgres, project, async (client) => {
      const row = await this.rows.find(project, id, client);
      assertUnchanged(body, toAnnotationDto(row));
      const before = describedBy(row);
      const after: Described = {
        content: body.content ?? before.content,
        date_marker: body.date_marker === undefined ? before.date_marker : markerOf(body, project, author),
        scope: body.scope ?? before.scope,
        dashboard_id: body.dashboard_id === undefined ? before.dashboard_id : body.dashboard_id,
        dashboard_item: body.dashboard_item === undefined ? before.dashboard_item : body.dashboard_item,
        creation_type: body.creation_type ?? before.creation_type,
      };
      const changes = log.differences(before, after);
      if (changes.length === 0) return toAnnotationDto(row);
      await assertShown(client, project, after, before);
      await client.query(
        pgSql`UPDATE annotations SET content = ${bound(after.content)}, date_marker = ${bound(after.date_marker)},
           scope = ${bound(after.scope)}, dashboard_id = ${bound(after.dashboard_id)},
           insight_id = ${bound(after.dashboard_item)}, creation_type = ${bound(after.creation_type)},
           updated_at = ${bound(author.now)}
         WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
      await log.record(client, project, { id, activity: 'updated', name: null, changes }, author);
      return toAnnotationDto(await this.rows.find(project, id, client));
    });
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { rowCount } = await client.query(
        pgSql`DELETE FROM annotations WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
      if (rowCount === 0) throw noRecord('annotation', id);
      await log.record(client, project, { id, activity: 'deleted', name: null, changes: log.deleted() }, author);
    });
  }
}

const markerOf = (
  { date_marker: text }: Pick<CreateAnnotationBody, 'date_marker'>,
  project: ProjectContext,
  { now }: Author,
): string =>
  (text === undefined || text === null ? now : markedMoment(text, 'date_marker', now, project)).toISOString();

const describedBy = (row: AnnotationRow): Described => ({
  content: row.content,
  date_marker: row.date_marker.toISOString(),
  scope: row.scope,
  dashboard_id: row.dashboard_id,
  dashboard_item: row.insight_id,
  creation_type: row.creation_type,
});

const shownOn: Readonly<Record<AnnotationScope, 'dashboard_id' | 'dashboard_item' | null>> = {
  project: null,
  dashboard: 'dashboard_id',
  dashboard_item: 'dashboard_item',
};

/** Refuses a scope without its id, and new ids of no record. A record that was deleted since may still be named. */
const assertShown = async (
  client: ClientBase,
  project: ProjectContext,
  after: Described,
  before: Described | null = null,
): Promise<void> => {
  const needed = shownOn[after.scope];
  if (needed !== null && after[needed] === null)
    throw invalidInput(`${needed} is required with the scope ${after.scope}`, needed);
  const references = [
    ['dashboard_id', 'dashboard', pgSql`dashboards`],
    ['dashboard_item', 'insight', pgSql`insights`],
  ] as const;
  for (const [name, kind, table] of references) {
    const id = after[name];
    if (id === null || id === before?.[name] || (await exists(client, project, table, id))) continue;
    throw invalidInput(`${name} must be the id of a record of this project: there is no ${kind} ${id}`, name);
  }
};

const exists = async (
  client: ClientBase,
  { id: projectId }: ProjectContext,
  table: PgSql,
  id: number,
): Promise<boolean> => {
  const { rows } = await client.query(
    pgSql`SELECT 1 FROM ${table} WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
  return rows.length > 0;
};
