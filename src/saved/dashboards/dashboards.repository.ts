import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { pgSql } from '../../platform/postgres/sql.js';
import { noRecord } from '../record-id.js';
import { defaultTileHeight } from '../saved.dto.js';
import { findRows, listRows, toSavedDto, type SavedRow, type SavedTable } from '../saved.repository.js';
import { type SavedInsightDto } from '../insights/insight.dto.js';
import { InsightsRepository } from '../insights/insights.repository.js';
import { type DashboardDto, type DashboardsQuery, type TileInsightDto } from './dashboard.dto.js';
import { boardFiltersOf, type BoardFilters } from './filters.js';
import { arranged, type Unplaced } from './grid.js';
import { type StoredTile } from './tiles.js';

type TileRow = Omit<Unplaced, 'height'> & {
  readonly id: number;
  readonly insight_id: number;
  readonly height: number | null;
};
type TextRow = Unplaced & { readonly id: number; readonly body: string };

export type DashboardRow = SavedRow &
  BoardFilters & { readonly tiles: readonly TileRow[]; readonly texts: readonly TextRow[] };

export const dashboardTable: SavedTable = {
  table: pgSql`dashboards`,
  favourites: pgSql`dashboard_favourites`,
  favourite: pgSql`dashboard_id`,
  columns: (projectId) => pgSql`r.date_from, r.date_to, r.properties, r.breakdown_filter, r.texts, (
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'insight_id', t.insight_id,
      'position', t.position, 'width', t.width, 'x', t.x, 'y', t.y, 'height', t.height) ORDER BY t.position, t.id), '[]')
    FROM dashboard_tiles AS t WHERE t.project_id = ${projectId} AND t.dashboard_id = r.id
  ) AS tiles`,
};

/** Reads dashboards as stored rows, and in the shape of the API. */
@Injectable()
export class DashboardsRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly insights: InsightsRepository,
  ) {}

  async find(project: ProjectContext, id: number, userId: number | null, client?: ClientBase): Promise<DashboardRow> {
    const [row] = await findRows<DashboardRow>(client ?? this.postgres, dashboardTable, project, { ids: [id], userId });
    if (!row) throw noRecord('dashboard', id);
    return row;
  }

  async get(project: ProjectContext, id: number, userId: number | null): Promise<DashboardDto> {
    const row = await this.find(project, id, userId);
    const ids = row.tiles.map(({ insight_id: insight }) => insight);
    return toDashboardDto(row, await this.insights.byIds(project, ids));
  }

  async list(project: ProjectContext, userId: number | null, query: DashboardsQuery): Promise<Slice<DashboardDto>> {
    const { count, results } = await listRows<DashboardRow>(this.postgres, dashboardTable, project, userId, query);
    return { count, results: results.map((row) => toDashboardDto(row)) };
  }
}

/** Places the tiles anew: the deletion of an insight leaves a gap, and the release before gives tiles no place. */
export const tilesOf = ({ tiles, texts }: Pick<DashboardRow, 'tiles' | 'texts'>): StoredTile[] =>
  arranged([
    ...tiles.map((tile) => ({ ...tile, height: tile.height ?? defaultTileHeight, body: null })),
    ...texts.map((text) => ({ ...text, insight_id: null })),
  ]);

export const toDashboardDto = (
  row: DashboardRow,
  insights: ReadonlyMap<number, SavedInsightDto> = new Map(),
): DashboardDto => ({
  ...toSavedDto(row),
  pinned: row.favourite,
  date_from: row.date_from,
  date_to: row.date_to,
  filters: boardFiltersOf(row),
  tiles: tilesOf(row).map(({ id, insight_id, body, position, x, y, width, height }) => {
    const insight = insights.get(insight_id ?? 0);
    return {
      ...{ id, insight_id: insight_id ?? 0, position, order: position, width, height },
      layouts: { sm: { x, y, w: width, h: height } },
      text: body === null ? null : { body },
      ...(insight && { insight: tileInsight(insight) }),
    };
  }),
});

const tileInsight = (insight: SavedInsightDto): TileInsightDto => {
  const { id, short_id, name, derived_name, description, question, query, tags, created_at, updated_at } = insight;
  return { id, short_id, name, derived_name, description, question, query, tags, created_at, updated_at };
};
