import { type JsonObject } from './json.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Sent {
  readonly query?: JsonObject;
  readonly body?: unknown;
  /** Lines of an import, in place of a body. */
  readonly lines?: readonly JsonObject[];
  readonly now?: string | null;
  readonly withoutKey?: boolean;
}

/** Sees every answer, and throws if it is not as documented. */
export type Watch = (method: string, path: string, reply: Reply) => void;

/** The service, by its HTTP interface alone. */
export class Http {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly watch: Watch = () => undefined,
  ) {}

  async ask(method: string, path: string, { query = {}, body, lines, now, withoutKey }: Sent = {}): Promise<Reply> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, queryText(value));
    const headers: Record<string, string> = {};
    if (!withoutKey) headers.authorization = `Bearer ${this.key}`;
    if (now) headers['x-test-now'] = now;
    if (lines) headers['content-type'] = 'application/x-ndjson';
    else if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = lines ? lines.map((line) => JSON.stringify(line)).join('\n') : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
    const reply = { status: answer.status, headers: answer.headers, text: await answer.text() };
    this.watch(method, url.pathname, reply);
    return reply;
  }
}

export const jsonOf = (reply: Reply): unknown => {
  try {
    return JSON.parse(reply.text) as unknown;
  } catch {
    return null;
  }
};

/** Lists and objects travel in a query string as JSON text. */
const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
