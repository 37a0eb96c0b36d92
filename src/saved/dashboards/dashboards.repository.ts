import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { pgSql } from '../../platform/postgres/sql.js';
import { type RangeOverride } from '../questions/time-range.js';
import { noRecord } from '../record-id.js';
import { findRow, listRows, toSavedDto, type SavedRow, type SavedTable } from '../saved.repository.js';
import { type DashboardDto, type DashboardsQuery, type TileDto } from './dashboard.dto.js';

export type DashboardRow = SavedRow & RangeOverride & { readonly tiles: readonly TileDto[] };

export const dashboardTable: SavedTable = {
  table: pgSql`dashboards`,
  favourites: pgSql`dashboard_favourites`,
  favourite: pgSql`dashboard_id`,
  columns: (projectId) => pgSql`r.date_from, r.date_to, (
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'insight_id', t.insight_id,
      'position', t.position, 'width', t.width) ORDER BY t.position, t.id), '[]')
    FROM dashboard_tiles AS t WHERE t.project_id = ${projectId} AND t.dashboard_id = r.id
  ) AS tiles`,
};

/** Reads dashboards as stored rows, and in the shape of the API. */
@Injectable()
export class DashboardsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(project: ProjectContext, id: number, userId: number | null, client?: ClientBase): Promise<DashboardRow> {
    const row = await findRow<DashboardRow>(client ?? this.postgres, dashboardTable, project, { id, userId });
    if (!row) throw noRecord('dashboard', id);
    return row;
  }

  async get(project: ProjectContext, id: number, userId: number | null): Promise<DashboardDto> {
    return toDashboardDto(await this.find(project, id, userId));
  }

  async list(project: ProjectContext, userId: number | null, query: DashboardsQuery): Promise<Slice<DashboardDto>> {
    const { count, results } = await listRows<DashboardRow>(this.postgres, dashboardTable, project, userId, query);
    return { count, results: results.map(toDashboardDto) };
  }
}

/** Numbers the tiles without gaps: the deletion of an insight leaves a gap between the stored positions. */
export const toDashboardDto = (row: DashboardRow): DashboardDto => ({
  ...toSavedDto(row),
  pinned: row.favourite,
  date_from: row.date_from,
  date_to: row.date_to,
  tiles: row.tiles.map(({ id, insight_id, width }, position) => ({ id, insight_id, position, width })),
});
