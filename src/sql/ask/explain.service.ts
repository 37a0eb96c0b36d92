import { Injectable } from '@nestjs/common';
import { type QuestionRequest } from '../../filters/asking/questions.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { compile, list, sql, text } from '../../platform/clickhouse/sql.js';
import { readQueryInput } from './query-input.js';
import { QueryService } from './query.service.js';
import { type ExplainedDto } from './schema.dto.js';

interface Estimate {
  readonly table: string;
  readonly rows: number;
}

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
    const { query, query_params: parameters } = compile(ready.sql);
    return {
      statement: query.replace(/\s+/g, ' ').trim(),
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, jsonValue(value)])),
      columns: ready.outputs.map(({ name }) => name),
      rows: estimates.reduce((sum, { rows }) => sum + rows, 0),
      bytes: await this.bytesOf(estimates),
    };
  }

  /** The rows times the average size of a row of their table. */
  private async bytesOf(estimates: readonly Estimate[]): Promise<number> {
    if (estimates.length === 0) return 0;
    const sizes = await this.clickhouse.query<{ table: string; size: number }>(
      sql`SELECT table, sum(data_compressed_bytes) / greatest(sum(rows), 1) AS size FROM system.parts
          WHERE active AND database = currentDatabase() AND table IN ${list(text, [...new Set(estimates.map(({ table }) => table))])}
          GROUP BY table`,
      { project: 'system', short: true },
    );
    const sizeOf = new Map(sizes.map(({ table, size }) => [table, size]));
    return Math.round(estimates.reduce((sum, { table, rows }) => sum + rows * (sizeOf.get(table) ?? 0), 0));
  }
}

const jsonValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(jsonValue);
  return typeof value === 'bigint' ? Number(value) : value;
};
