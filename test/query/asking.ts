import { type Answer, type ServiceHandle } from '../support/service-handle.js';

export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly types: readonly (readonly [string, string])[];
  readonly results: readonly (readonly unknown[])[];
  readonly hasMore: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly as_of: string;
  readonly elapsed_ms: number;
  readonly rows_read: number;
}

/** Asks questions in SQL of one project at one moment. */
export class Questions {
  constructor(
    private readonly service: ServiceHandle,
    private readonly projectId: number,
    private readonly now: string | null = null,
  ) {}

  send(body: object, path = 'query', query: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const headers: Record<string, string> = this.now === null ? {} : { 'X-Test-Now': this.now };
    return this.service.call('POST', `/api/projects/${this.projectId}/${path}`, { body, query, headers });
  }

  async answer(query: string, more: object = {}): Promise<QueryAnswer> {
    const answer = await this.send({ query, ...more });
    if (answer.status !== 200) throw new Error(`${answer.status} to ${query}: ${answer.text}`);
    return answer.body as QueryAnswer;
  }

  async rows(query: string, more: object = {}): Promise<QueryAnswer['results']> {
    return (await this.answer(query, more)).results;
  }
}

/** True if the question fixes the order of its rows. */
const isOrdered = (query: string): boolean => /order by/i.test(query);

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Numbers as far as a sum of floats is exact; rows in their order, or sorted where a question leaves it open. */
export const comparable = (query: string, rows: readonly (readonly unknown[])[]): unknown => {
  const rounded = JSON.parse(JSON.stringify(rows), (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value,
  ) as unknown[];
  return isOrdered(query) ? rounded : rounded.sort(byText);
};
