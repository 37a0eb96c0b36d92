import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Fields } from '../../platform/fields/values.js';
import { type SavedQuestion } from '../questions/question.js';
import { SAVED_NODES, type SavedNodes } from '../questions/saved-nodes.js';
import { savedQuestions } from '../questions/saved-questions.js';
import { noRecord } from '../record-id.js';
import { findRows, listRows, toSavedDto, type SavedRow, type SavedTable } from '../saved.repository.js';
import { derivedName } from './derived-name.js';
import { idOfShortId, shortIdOf } from '../../platform/values/short-id.js';
import { type InsightsQuery, type NamedRecordDto, type SavedInsightDto } from './insight.dto.js';

const shownDashboards = 20;

export type InsightRow = SavedRow &
  SavedQuestion & { readonly query: Fields | null; readonly dashboards: readonly NamedRecordDto[] };

export const insightTable: SavedTable = {
  table: pgSql`insights`,
  favourites: pgSql`insight_favourites`,
  favourite: pgSql`insight_id`,
  columns: (projectId) => pgSql`r.type, r.params, r.query, (
    SELECT coalesce(json_agg(json_build_object('id', shown.id, 'name', shown.name) ORDER BY shown.id), '[]')
    FROM (
      SELECT DISTINCT d.id, d.name FROM dashboard_tiles AS t
      JOIN dashboards AS d ON d.project_id = t.project_id AND d.id = t.dashboard_id
      WHERE t.project_id = ${projectId} AND t.insight_id = r.id ORDER BY d.id LIMIT ${bound(shownDashboards)}
    ) AS shown
  ) AS dashboards`,
};

/** Reads insights as stored rows, and in the shape of the API. */
@Injectable()
export class InsightsRepository {
  constructor(
    private readonly postgres: Postgres,
    @Inject(SAVED_NODES) private readonly nodes: SavedNodes,
  ) {}

  async find(project: ProjectContext, id: number, userId: number | null, client?: ClientBase): Promise<InsightRow> {
    const [row] = await findRows<InsightRow>(client ?? this.postgres, insightTable, project, { ids: [id], userId });
    if (!row) throw noRecord('insight', id);
    return row;
  }

  async get(project: ProjectContext, id: number, userId: number | null): Promise<SavedInsightDto> {
    return this.toDto(await this.find(project, id, userId));
  }

  async list(project: ProjectContext, userId: number | null, query: InsightsQuery): Promise<Slice<SavedInsightDto>> {
    const conditions = [
      ...(query.type === undefined ? [] : [pgSql`r.type = ${bound(query.type)}`]),
      ...(query.short_id === undefined ? [] : [pgSql`r.id = ${bound(idOfShortId(query.short_id) ?? 0)}`]),
    ];
    const { count, results } = await listRows<InsightRow>(
      this.postgres,
      insightTable,
      project,
      userId,
      query,
      conditions,
    );
    return { count, results: await this.toDtos(results) };
  }

  /** Reads insights by their ids; those that the project does not have are missing. */
  async byIds(project: ProjectContext, ids: readonly number[]): Promise<ReadonlyMap<number, SavedInsightDto>> {
    const rows = await findRows<InsightRow>(this.postgres, insightTable, project, { ids, userId: null });
    return new Map((await this.toDtos(rows)).map((insight) => [insight.id, insight]));
  }

  questions(project: ProjectContext, ids: readonly number[]): Promise<ReadonlyMap<number, SavedQuestion>> {
    return savedQuestions(this.postgres, project, ids);
  }

  async toDto(row: InsightRow): Promise<SavedInsightDto> {
    const { type, params } = row;
    return {
      ...toSavedDto(row),
      short_id: shortIdOf(row.id),
      favorited: row.favourite,
      question: { type, params },
      query: row.query ?? (await this.nodes.nodeOf({ type, params })),
      filters: {},
      derived_name: derivedName({ type, params }),
      last_refresh: null,
      result: null,
      dashboards: [...row.dashboards],
    };
  }

  private toDtos(rows: readonly InsightRow[]): Promise<SavedInsightDto[]> {
    return Promise.all(rows.map((row) => this.toDto(row)));
  }
}
