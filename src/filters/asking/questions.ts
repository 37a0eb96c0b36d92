import { Injectable } from '@nestjs/common';
import { SharedWork } from '../../platform/work/shared-work.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { compile, type Sql } from '../../platform/clickhouse/sql.js';

/** The origin of a statement. Two statements with equal text, project and position share one answer. */
export interface QuestionOrigin {
  readonly projectId: number;
  /** The position of the projection at the time of the question: an answer from an earlier position would be stale. */
  readonly position: string;
  readonly signal: AbortSignal;
}

/** Sends statements to ClickHouse. Equal statements in flight run once, and stop when no caller waits for the answer any longer. */
@Injectable()
export class Questions {
  private readonly work = new SharedWork();

  constructor(private readonly clickhouse: ClickHouse) {}

  ask<T>({ projectId, position, signal }: QuestionOrigin, statement: Sql): Promise<T[]> {
    return this.work.share(statementKey(projectId, position, statement), signal, (stop) =>
      this.clickhouse.query<T>(statement, { project: { id: projectId }, signal: stop }),
    );
  }
}

/** Equal for two statements that have the same answer. */
export const statementKey = (projectId: number, position: string, statement: Sql): string => {
  const { query, query_params } = compile(statement);
  const values = JSON.stringify(query_params, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return `${projectId}\n${position}\n${query}\n${values}`;
};
