import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request as it reached the proxy. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
}

/**
 * Stands between a client and the service. The client itself says what happens to its next requests, by `POST /faults`: `cut`
 * loses the request, `lose` the answer, and a status with a `Retry-After`, such as `503 0`, is answered in the place of the
 * service. `GET /faults` answers the requests since then.
 */
export class FaultyProxy {
  private faults: string[] = [];
  private seen: Seen[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<FaultyProxy> {
    const server = createServer();
    const proxy = new FaultyProxy(server, target);
    server.on('request', (request, response) => void proxy.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { method = '', url = '', headers } = request;
    if (url === '/faults') {
      if (method === 'POST') {
        this.faults = JSON.parse(body.toString()) as string[];
        this.seen = [];
      }
      response.end(JSON.stringify(this.seen));
      return;
    }
    const key = headers['idempotency-key'];
    this.seen.push({ method, path: url.split('?')[0] ?? '', key: typeof key === 'string' ? key : null });
    const [, fault = '', retryAfter] = /^(\S+) ?(.+)?$/.exec(this.faults.shift() ?? '') ?? [];
    if (fault === 'cut') request.socket.destroy();
    else if (/^\d+$/.test(fault))
      response.writeHead(Number(fault), retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('refused');
    else this.forward(request, body, response, fault === 'lose');
  }

  private forward({ method, url, headers }: IncomingMessage, body: Buffer, response: ServerResponse, isLost: boolean) {
    const forwarded = ask(this.target + url, { method, headers: { ...headers, connection: 'close' } }, (answer) => {
      if (isLost) {
        answer.resume();
        answer.once('end', () => response.socket?.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    forwarded.end(body);
  }
}
