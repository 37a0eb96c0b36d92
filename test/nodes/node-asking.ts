import { type Answer, type ServiceHandle } from '../support/service-handle.js';

export interface Line {
  readonly [key: string]: unknown;
  readonly data: readonly number[];
  readonly days: readonly (string | number)[];
  readonly count: number;
  readonly label: string;
}

export interface NodeAnswer {
  readonly [key: string]: unknown;
  readonly results: readonly Line[];
}

/** Asks nodes of one project at one moment. */
export class Nodes {
  constructor(
    private readonly service: ServiceHandle,
    private readonly projectId: number,
    private readonly now: string,
  ) {}

  send(body: object, path = 'query', key?: string): Promise<Answer> {
    return this.service.call('POST', `/api/projects/${this.projectId}/${path}`, {
      body,
      headers: { 'X-Test-Now': this.now },
      ...(key !== undefined && { key }),
    });
  }

  async answer(node: object, more: object = {}): Promise<NodeAnswer> {
    const answer = await this.send({ query: node, ...more });
    if (answer.status !== 200) throw new Error(`${answer.status} to ${JSON.stringify(node)}: ${answer.text}`);
    return answer.body as NodeAnswer;
  }

  /** The status, the attr and the detail of a refusal. */
  async refusal(node: unknown, more: object = {}): Promise<readonly [number, unknown, string]> {
    const { status, body } = await this.send({ query: node, ...more });
    const { attr, detail } = body as { attr: unknown; detail: string };
    return [status, attr, detail];
  }

  /** The numbers of the question by its own route. */
  async insight(path: string, params: object): Promise<Record<string, unknown>> {
    const texts = Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const answer = await this.service.call('GET', `/api/projects/${this.projectId}/persons/${path}`, {
      query: { ...Object.fromEntries(texts), include: 'insight' },
      headers: { 'X-Test-Now': this.now },
    });
    if (answer.status !== 200) throw new Error(`${answer.status} to ${path}: ${answer.text}`);
    return (answer.body as { insight: Record<string, unknown> }).insight;
  }
}

export const event = (name: string | null, more: object = {}): object => ({ kind: 'EventsNode', event: name, ...more });
