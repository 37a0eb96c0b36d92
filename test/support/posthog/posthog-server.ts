import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

type Found = Readonly<Record<string, unknown>>;

/** The lists of a project, with the fields that the public types of that product name. */
export interface PostHogProject {
  readonly lists: Readonly<Record<string, readonly Found[]>>;
  readonly records: Readonly<Record<string, Found>>;
}

const key = 'phx_there';

/** Answers as PostHog's interface does: lists in pages, whose links name a host that only its servers know. */
export class PostHogServer {
  /** A status for the next request whose path begins so; the request after it is answered. */
  readonly faults = new Map<string, number>();
  readonly asked: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly project: PostHogProject,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response));
  }

  static async start(project: PostHogProject): Promise<PostHogServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PostHogServer(server, project);
  }

  readonly key = key;

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://internal');
    const path = url.pathname.replace(/^\/api\/projects\/42\//, '').replace(/\/$/, '');
    this.asked.push(path + url.search);
    const send = (status: number, body: Found, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${key}`) return send(401, { detail: 'Invalid personal API key.' });
    const fault = this.faults.get(path);
    if (fault !== undefined) {
      this.faults.delete(path);
      return send(fault, { detail: 'not now' }, fault === 429 ? { 'retry-after': '1' } : {});
    }
    const type = url.searchParams.get('type');
    const list = this.project.lists[type === null ? path : `${path}?type=${type}`];
    const record = this.project.records[path];
    if (record) return send(200, record);
    if (!list) return send(404, { detail: 'Not found.' });
    const [limit, offset] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset'))];
    const next = offset + limit < list.length;
    url.searchParams.set('offset', String(offset + limit));
    send(200, {
      count: list.length,
      next: next ? url.href : null,
      previous: null,
      results: list.slice(offset, offset + limit),
    });
  }
}
