import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type JsonObject, objectOf } from './json.js';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly now: string | undefined;
  /** Query and body together; JSON text of a query read. */
  readonly parameters: JsonObject;
}

/** What a row answers: the fake finds fault with nothing by itself. */
export type Answers = Readonly<Record<string, (request: SentRequest) => { status?: number; body: unknown }>>;

export interface FakeService {
  readonly url: string;
  readonly requests: readonly SentRequest[];
  stop(): void;
}

/** A service that answers with prepared bodies, to see whether the runner notices what is wrong. Scenes always succeed. */
export const startFakeService = async (answers: Answers): Promise<FakeService> => {
  const requests: SentRequest[] = [];
  const scene: Answers = {
    'POST /api/projects': () => ({ status: 201, body: { id: 1, api_token: 'phc_fake' } }),
    'POST import': ({ parameters: { lines } }) => ({ body: { persons: lines, events: 0, rejected: [] } }),
    'POST actions': () => ({ status: 201, body: { id: 33 } }),
    'POST cohorts': () => ({ status: 201, body: { id: 77, is_calculating: false, calculation_error: null, count: 1 } }),
  };
  const server = createServer((request, response) => {
    void readRequest(request).then((one) => {
      requests.push(one);
      const row = `${one.method} ${one.path}`;
      const answer = (answers[row] ?? scene[row])?.(one) ?? { status: 404, body: { code: 'not_found' } };
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => server.close() };
};

const readRequest = async (request: IncomingMessage): Promise<SentRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(request.url ?? '', 'http://fake');
  const path = url.pathname.replace(/^\/api\/projects\/1\//, '');
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name, parsed(value)]));
  const body = path === 'import' ? { lines: text.split('\n').length } : objectOf(parsed(text));
  const now = request.headers['x-test-now'];
  return { method: request.method ?? '', path, now: String(now), parameters: { ...query, ...body } };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
