import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { setFavourite } from '../favourite.js';
import { QuestionCheck } from '../questions/question-check.js';
import { storedTags } from '../../platform/fields/tags.js';
import { oneWriterAtATime, assertRoom } from '../saved.repository.js';
import { type CreateDashboardBody, type DashboardDto, type UpdateDashboardBody } from './dashboard.dto.js';
import { assertFilters, boardFiltersOf, noFilters, readFilters, type BoardFilters } from './filters.js';
import { DashboardsRepository, dashboardTable, tilesOf, toDashboardDto } from './dashboards.repository.js';
import { assertKnownTiles, placedTiles, storeTiles, type PlacedTile } from './tiles.js';

export const maxDashboards = 500;

const log = new ItemLog('Dashboard');

interface Described extends BoardFilters {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly tiles: readonly PlacedTile[];
}

/** Creates, changes and deletes dashboards. */
@Injectable()
export class DashboardsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: DashboardsRepository,
    private readonly questions: QuestionCheck,
  ) {}

  async create(project: ProjectContext, body: CreateDashboardBody, author: Author): Promise<DashboardDto> {
    const filters = readBody(body, noFilters);
    await assertFilters(filters, 'filters', this.questions, project, author.now);
    const sent = body.tiles ?? [];
    const texts = { name: body.name, description: body.description ?? '', tags: storedTags(body.tags ?? null) };
    const dashboard = { ...texts, ...filters, tiles: placedTiles(sent, []) };
    const made = await oneWriterAtATime(this.postgres, project, async (client) => {
      await assertRoom(client, project, dashboardTable, { most: maxDashboards, kind: 'dashboards' });
      await assertKnownTiles(client, project, sent, []);
      const id = await insert(client, project, dashboard, author);
      await storeTiles(client, project, id, dashboard.tiles);
      await setFavourite(client, dashboardTable, project, { id, userId: author.userId }, markOf(body));
      return id;
    });
    return this.rows.get(project, made, author.userId);
  }

  async update(project: ProjectContext, id: number, body: UpdateDashboardBody, author: Author): Promise<DashboardDto> {
    if (body.name === null) throw required('name');
    const before = await this.rows.find(project, id, author.userId);
    const filters = readBody(body, before);
    if (!isDeepStrictEqual(boardFiltersOf(filters), boardFiltersOf(before)))
      await assertFilters(filters, 'filters', this.questions, project, author.now);
    await oneWriterAtATime(this.postgres, project, (client) => this.change(client, project, id, body, author));
    return this.rows.get(project, id, author.userId);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.rows.find(project, id, author.userId, client);
      await client.query(pgSql`DELETE FROM dashboards WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      await log.record(client, project, { id, activity: 'deleted', name, changes: log.deleted() }, author);
    });
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    id: number,
    body: UpdateDashboardBody,
    author: Author,
  ): Promise<void> {
    const row = await this.rows.find(project, id, author.userId, client);
    assertUnchanged(body, toDashboardDto(row));
    const before = { ...row, tiles: tilesOf(row) };
    await setFavourite(client, dashboardTable, project, { id, userId: author.userId }, markOf(body));
    const after = {
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      tags: body.tags === undefined ? before.tags : storedTags(body.tags),
      ...readBody(body, before),
      tiles: body.tiles ? placedTiles(body.tiles, before.tiles) : before.tiles,
    };
    const changes = log.differences(before, after, inLog);
    if (changes.length === 0) return;
    const changed = new Set(changes.map(({ field }) => field));
    if (changed.has('tiles')) {
      await assertKnownTiles(client, project, body.tiles ?? [], before.tiles);
      await storeTiles(client, project, id, after.tiles);
    }
    await client.query(
      pgSql`UPDATE dashboards SET name = ${bound(after.name)}, description = ${bound(after.description)},
         date_from = ${bound(after.date_from)}, date_to = ${bound(after.date_to)},
         properties = ${bound(jsonOf(after.properties))}::jsonb,
         breakdown_filter = ${bound(jsonOf(after.breakdown_filter))}::jsonb, tags = ${bound(after.tags)}, updated_at = ${bound(author.now)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    await log.record(client, project, { id, activity: 'updated', name: after.name, changes }, author);
  }
}

/**
 * The filters of a body, whose range has two forms; what it leaves out stays. A range that is sent back as it was read is not
 * meant.
 */
const readBody = (body: UpdateDashboardBody, before: BoardFilters): BoardFilters => {
  const own = { date_from: before.date_from, date_to: before.date_to };
  const range = {
    date_from: body.date_from === undefined ? own.date_from : body.date_from || null,
    date_to: body.date_to === undefined ? own.date_to : body.date_to || null,
  };
  const { properties, breakdown_filter, ...inFilters } = body.filters ? readFilters(body.filters, 'filters') : before;
  const rest = { properties, breakdown_filter };
  const other = { date_from: inFilters.date_from, date_to: inFilters.date_to };
  if (isDeepStrictEqual(other, own)) return { ...range, ...rest };
  if (isDeepStrictEqual(range, own) || isDeepStrictEqual(range, other)) return { ...other, ...rest };
  throw invalidInput('filters has the same dates as date_from and date_to: send one of both', 'filters');
};

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const markOf = ({ favourite, pinned }: UpdateDashboardBody): boolean | null | undefined => favourite ?? pinned;

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  { name, description, tags, date_from, date_to, properties, breakdown_filter, tiles }: Described,
  author: Author,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO dashboards (project_id, name, description, tags, date_from, date_to, properties, breakdown_filter, created_by,
       created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(name)}, ${bound(description)}, ${bound(tags)}, ${bound(date_from)}, ${bound(date_to)},
       ${bound(jsonOf(properties))}::jsonb, ${bound(jsonOf(breakdown_filter))}::jsonb, ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.now)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  const after = { name, description, date_from, date_to, tiles: shown(tiles) };
  await log.record(client, project, { id, activity: 'created', name, changes: log.created(after) }, author);
  return id;
};

/** Selects the fields of tiles that a reader of the log understands. */
const shown = (tiles: readonly PlacedTile[]): object[] =>
  tiles.map(({ insight_id, body, x, y, width, height }) => ({
    ...(body === null ? { insight_id } : { text: body }),
    ...{ x, y, width, height },
  }));

/** Filters may name persons, so the log has only whether there are some. */
const inLog = ({ properties, breakdown_filter, tiles, ...described }: Described) => ({
  ...described,
  properties: properties !== null,
  breakdown_filter: breakdown_filter !== null,
  tiles: shown(tiles),
});
