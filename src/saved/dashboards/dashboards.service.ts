import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { recordActivity, type ActivityChange } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { unknownName } from '../../platform/errors/nearest-name.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields } from '../../platform/fields/values.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { setFavourite } from '../favourite.js';
import { assertRange, ownRange, type RangeOverride } from '../questions/time-range.js';
import { storedTags } from '../../platform/fields/tags.js';
import { oneWriterAtATime, assertRoom } from '../saved.repository.js';
import {
  type CreateDashboardBody,
  type DashboardDto,
  type UpdateDashboardBody,
  maxDateLength,
} from './dashboard.dto.js';
import { DashboardsRepository, dashboardTable, tilesOf, toDashboardDto } from './dashboards.repository.js';
import { assertKnownTiles, placedTiles, storeTiles, type PlacedTile } from './tiles.js';

export const maxDashboards = 500;

interface Described extends RangeOverride {
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
  ) {}

  async create(project: ProjectContext, body: CreateDashboardBody, author: Author): Promise<DashboardDto> {
    const range = rangeOf(body, ownRange);
    assertRange(range, project, author.now);
    const sent = body.tiles ?? [];
    const texts = { name: body.name, description: body.description ?? '', tags: storedTags(body.tags ?? null) };
    const dashboard = { ...texts, ...range, tiles: placedTiles(sent) };
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
    await oneWriterAtATime(this.postgres, project, (client) => this.change(client, project, id, body, author));
    return this.rows.get(project, id, author.userId);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await oneWriterAtATime(this.postgres, project, async (client) => {
      const { name } = await this.rows.find(project, id, author.userId, client);
      await client.query(pgSql`DELETE FROM dashboards WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      const change: ActivityChange = { type: 'Dashboard', action: 'deleted', field: null, before: null, after: null };
      await record(client, project, { id, activity: 'deleted', name, changes: [change] }, author);
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
      ...rangeOf(body, before),
      tiles: body.tiles ? placedTiles(body.tiles) : before.tiles,
    };
    const changes = changesOf(before, after);
    if (changes.length === 0) return;
    const changed = new Set(changes.map(({ field }) => field));
    if (changed.has('date_from') || changed.has('date_to')) assertRange(after, project, author.now);
    if (changed.has('tiles')) {
      await assertKnownTiles(client, project, body.tiles ?? [], before.tiles);
      await storeTiles(client, project, id, after.tiles);
    }
    await client.query(
      pgSql`UPDATE dashboards SET name = ${bound(after.name)}, description = ${bound(after.description)},
         date_from = ${bound(after.date_from)}, date_to = ${bound(after.date_to)}, tags = ${bound(after.tags)}, updated_at = ${bound(author.now)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    await record(client, project, { id, activity: 'updated', name: after.name, changes }, author);
  }
}

/**
 * The range of a body, in either of its two forms; what it leaves out stays. A form that is sent back as it was read is not
 * meant.
 */
const rangeOf = (body: UpdateDashboardBody, { date_from, date_to }: RangeOverride): RangeOverride => {
  const before = { date_from, date_to };
  const range = {
    date_from: body.date_from === undefined ? date_from : body.date_from || null,
    date_to: body.date_to === undefined ? date_to : body.date_to || null,
  };
  const filters = body.filters ? rangeInFilters(body.filters) : before;
  if (isDeepStrictEqual(filters, before)) return range;
  if (isDeepStrictEqual(range, before) || isDeepStrictEqual(range, filters)) return filters;
  throw invalidInput('filters has the same dates as date_from and date_to: send one of both', 'filters');
};

const rangeInFilters = ({ date_from = null, date_to = null, properties = [], ...others }: Fields): RangeOverride => {
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknownName(other, ['date_from', 'date_to', 'properties'], ['filters']);
  if (!Array.isArray(properties) || properties.length > 0)
    throw invalidInput('filters.properties must be empty: give each insight its filters', 'filters.properties');
  return { date_from: dateIn(date_from, 'date_from'), date_to: dateIn(date_to, 'date_to') };
};

const dateIn = (value: unknown, name: string): string | null => {
  if (value !== null && (typeof value !== 'string' || value.length > maxDateLength))
    throw invalidInput(`filters.${name} must be a date of at most ${maxDateLength} characters`, `filters.${name}`);
  return value || null;
};

const markOf = ({ favourite, pinned }: UpdateDashboardBody): boolean | null | undefined => favourite ?? pinned;

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  { name, description, tags, date_from, date_to, tiles }: Described,
  author: Author,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO dashboards (project_id, name, description, tags, date_from, date_to, created_by, created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(name)}, ${bound(description)}, ${bound(tags)}, ${bound(date_from)}, ${bound(date_to)},
       ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.now)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  const after = { name, description, date_from, date_to, tiles: shown(tiles) };
  const change: ActivityChange = { type: 'Dashboard', action: 'created', field: null, before: null, after };
  await record(client, project, { id, activity: 'created', name, changes: [change] }, author);
  return id;
};

/** Selects the fields of tiles that a reader of the log understands. */
const shown = (tiles: readonly PlacedTile[]): object[] => tiles.map(({ insight_id, width }) => ({ insight_id, width }));

const logged = ['name', 'description', 'tags', 'date_from', 'date_to'] as const;

const changesOf = (before: Described, after: Described): ActivityChange[] => [
  ...logged.flatMap((field): ActivityChange[] =>
    isDeepStrictEqual(before[field], after[field])
      ? []
      : [{ type: 'Dashboard', action: 'changed', field, before: before[field], after: after[field] }],
  ),
  ...(isDeepStrictEqual(before.tiles, after.tiles)
    ? []
    : [
        {
          type: 'Dashboard',
          action: 'changed',
          field: 'tiles',
          before: shown(before.tiles),
          after: shown(after.tiles),
        } as const,
      ]),
];

interface Entry {
  readonly id: number;
  readonly activity: string;
  readonly name: string;
  readonly changes: readonly ActivityChange[];
}

const record = (client: ClientBase, project: ProjectContext, { id, ...entry }: Entry, author: Author): Promise<void> =>
  recordActivity(client, project, { scope: 'Dashboard', itemId: String(id), ...entry }, author);
