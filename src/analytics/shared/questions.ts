import { Injectable } from '@nestjs/common';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { compile, type Sql } from '../../stores/clickhouse/sql.js';

interface Running {
  readonly answer: Promise<unknown[]>;
  readonly stop: AbortController;
  waiting: number;
}

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
  private readonly running = new Map<string, Running>();

  constructor(private readonly clickhouse: ClickHouse) {}

  async ask<T>({ projectId, position, signal }: QuestionOrigin, statement: Sql): Promise<T[]> {
    const key = keyOf(projectId, position, statement);
    const question = this.running.get(key) ?? this.start(key, projectId, statement);
    question.waiting += 1;
    try {
      return (await untilAborted(question.answer, signal)) as T[];
    } finally {
      question.waiting -= 1;
      if (question.waiting === 0) question.stop.abort(new Error('no caller waits for the answer any longer'));
    }
  }

  private start(key: string, projectId: number, statement: Sql): Running {
    const stop = new AbortController();
    const answer = this.clickhouse
      .query<unknown>(statement, { project: { id: projectId }, signal: stop.signal })
      .finally(() => {
        if (this.running.get(key) === question) this.running.delete(key);
      });
    const question: Running = { answer, stop, waiting: 0 };
    stop.signal.addEventListener('abort', () => {
      if (this.running.get(key) === question) this.running.delete(key);
    });
    answer.catch(() => undefined);
    this.running.set(key, question);
    return question;
  }
}

const keyOf = (projectId: number, position: string, statement: Sql): string => {
  const { query, query_params } = compile(statement);
  const values = JSON.stringify(query_params, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return `${projectId}\n${position}\n${query}\n${values}`;
};

const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason as Error);
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
