import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { notFound, type Problem } from '../../platform/errors/problem.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type BatchExportDto, type BatchExportRunDto } from './batch-export.dto.js';
import { type BatchExport, type BatchExportRun } from './batch-export.entity.js';
import { shownDestination } from './bucket-config.js';

export const noBatchExport = (id: number | string): Problem => notFound(`there is no batch export ${id}`);

export type BatchExportRow = Stored<Omit<BatchExport, 'createdBy' | 'madeByKey'>> & {
  readonly created_by: UserDto | null;
};

const select = pgSql`
  SELECT b.id, b.project_id, b.name, b.model, b.cohort_id, b.interval, b.destination, b.paused_at, b.paused_reason, b.next_start,
    b.position, b.next_attempt_at, b.failures, b.failing_since, b.created_at, b.updated_at, ${userJson} AS created_by
  FROM batch_exports AS b LEFT JOIN users AS u ON u.id = b.created_by`;

/** Reads batch exports as stored rows, and in the shape of the API. */
@Injectable()
export class BatchExportsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(
    { id: projectId }: ProjectContext,
    id: number,
    reader: Queryable = this.postgres,
  ): Promise<BatchExportRow> {
    const { rows } = await reader.query<BatchExportRow>(
      pgSql`${select} WHERE b.project_id = ${bound(projectId)} AND b.id = ${bound(id)}`,
    );
    if (!rows[0]) throw noBatchExport(id);
    return rows[0];
  }

  async get(project: ProjectContext, id: number): Promise<BatchExportDto> {
    return toBatchExportDto(await this.find(project, id));
  }

  async list({ id: projectId }: ProjectContext, { limit, offset }: PageQuery): Promise<Slice<BatchExportDto>> {
    const ofProject = pgSql`project_id = ${bound(projectId)}`;
    const [page, counted] = await Promise.all([
      this.postgres.query<BatchExportRow>(
        pgSql`${select} WHERE b.${ofProject} ORDER BY b.created_at DESC, b.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM batch_exports WHERE ${ofProject}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toBatchExportDto) };
  }

  /** The runs of a batch export, newest first. */
  async runs(project: ProjectContext, id: number, { limit, offset }: PageQuery): Promise<Slice<BatchExportRunDto>> {
    await this.find(project, id);
    const ofExport = pgSql`project_id = ${bound(project.id)} AND batch_export_id = ${bound(id)}`;
    const [page, counted] = await Promise.all([
      this.postgres.query<Stored<BatchExportRun>>(
        pgSql`SELECT * FROM batch_export_runs WHERE ${ofExport} ORDER BY period_start DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM batch_export_runs WHERE ${ofExport}`),
    ]);
    return { count: Number(counted.rows[0]?.count ?? 0), results: page.rows.map(toRunDto) };
  }
}

export const toBatchExportDto = (row: BatchExportRow): BatchExportDto => ({
  id: row.id,
  name: row.name,
  model: row.model,
  cohort_id: row.cohort_id,
  interval: row.interval,
  destination: shownDestination(row.destination),
  paused: row.paused_at !== null,
  paused_reason: row.paused_reason,
  next_start: row.next_start.toISOString(),
  next_run_at: isoOrNull(row.next_attempt_at),
  failing_since: isoOrNull(row.failing_since),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  deleted: false,
});

const toRunDto = (row: Stored<BatchExportRun>): BatchExportRunDto => ({
  period_start: row.period_start.toISOString(),
  period_end: row.period_end.toISOString(),
  status: row.status,
  manifest: row.manifest,
  files: row.files,
  records: Number(row.records),
  bytes: Number(row.bytes),
  attempts: row.attempts,
  error: row.error,
  created_at: row.created_at.toISOString(),
  finished_at: isoOrNull(row.finished_at),
});
