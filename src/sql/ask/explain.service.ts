import { Injectable } from '@nestjs/common';
import { type QuestionRequest } from '../../filters/asking/questions.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { compile, list, sql, text } from '../../platform/clickhouse/sql.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { readQueryInput } from './query-input.js';
import { QueryService } from './query.service.js';
import { type Estimate, estimateSql, wholeTablesSql } from './estimate.sql.js';
import { type ExplainedDto, type TableReadDto } from './schema.dto.js';

/** Tells what a question would read, without answering it. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly queries: QueryService,
    private readonly clickhouse: ClickHouse,
  ) {}

  async explain({ params, project, now, signal }: QuestionRequest): Promise<ExplainedDto> {
    const input = readQueryInput(params);
    const ready = await this.queries.prepare(input, { project, now, signal }, 1);
    const estimates = await this.queries.estimate(ready, input, { project, now, signal });
    const reads = await this.reads(project, estimates);
    const { query, query_params: parameters } = compile(ready.sql);
    return {
      statement: query.replace(/\s+/g, ' ').trim(),
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, jsonValue(value)])),
      columns: ready.outputs.map(({ name }) => name),
      rows: reads.reduce((sum, { rows }) => sum + rows, 0),
      bytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
      reads,
    };
  }

  /** The bytes are the rows times the average size of a row of their table. */
  private async reads(project: ProjectContext, estimates: readonly Estimate[]): Promise<TableReadDto[]> {
    if (estimates.length === 0) return [];
    const tables = [...new Set(estimates.map(({ table }) => table))];
    const [sizes, whole] = await Promise.all([
      this.clickhouse.query<{ table: string; size: number }>(
        sql`SELECT table, sum(data_compressed_bytes) / greatest(sum(rows), 1) AS size FROM system.parts
            WHERE active AND database = currentDatabase() AND table IN ${list(text, tables)} GROUP BY table`,
        { project: 'system', short: true },
      ),
      this.clickhouse.query<Estimate>(estimateSql(this.clickhouse.form, wholeTablesSql(project.id, tables)), {
        project,
      }),
    ]);
    const sizeOf = new Map(sizes.map(({ table, size }) => [table, size]));
    return tables.map((table) => {
      const read = sumOf(estimates, table);
      const all = sumOf(whole, table);
      return {
        table,
        rows: read.rows,
        bytes: Math.round(read.rows * (sizeOf.get(table) ?? 0)),
        parts: read.parts,
        project_rows: all.rows,
        project_parts: all.parts,
      };
    });
  }
}

/** A table that the question reads several times counts as often. */
const sumOf = (estimates: readonly Estimate[], name: string): { readonly rows: number; readonly parts: number } => {
  const own = estimates.filter(({ table }) => table === name);
  return {
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
    parts: own.reduce((sum, { parts }) => sum + parts, 0),
  };
};

const jsonValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(jsonValue);
  return typeof value === 'bigint' ? Number(value) : value;
};
