import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { IncomingMessage, type Server, ServerResponse, createServer } from 'node:http';
import { atEnd, contextOf } from './request-context.js';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { invalidInput } from '../errors/problem.js';
import { Server as NetServer, type Socket } from 'node:net';
import { Permits } from '../work/permits.js';
import { type Metrics } from '../telemetry/metrics.js';
import { addressGroup } from './client-address.js';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The prototypes that an application of Express gives to each request and response. */
interface Prototypes {
  request: Request;
  response: Response;
}

/** The Express adapter of Nest, without two costs of each request that bring nothing. */
export class HttpServerAdapter extends ExpressAdapter {
  /**
   * Makes each request and response with the prototype of Express from the start. Express would otherwise change their prototype,
   * and V8 keeps objects whose prototype has changed until a full garbage collection.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Prototypes>();
    const classes = {
      IncomingMessage: withPrototype(IncomingMessage, app.request),
      ServerResponse: withPrototype(ServerResponse, app.response),
    };
    app.request = classes.IncomingMessage.prototype as Request;
    app.response = classes.ServerResponse.prototype as Response;
    this.httpServer = createServer(classes, this.getInstance());
  }

  /**
   * Runs the steps that guards have registered for the answer. If a step fails, its error is sent instead. An interceptor of all
   * routes would wrap every answer in Observables, which takes a tenth of the processor time of a small request.
   */
  override async reply(response: Response, returned: unknown, status?: number): Promise<void> {
    let answer = returned;
    if (!response.headersSent) for (const step of contextOf(response.req).beforeAnswer) answer = await step(answer);
    super.reply(response, answer, status);
  }
}

const withPrototype = <T extends typeof IncomingMessage | typeof ServerResponse>(Base: T, prototype: object): T => {
  const Message = class extends (Base as new (...args: never[]) => object) {} as T;
  Object.defineProperties(Message.prototype, Object.getOwnPropertyDescriptors(prototype));
  Object.setPrototypeOf(Message.prototype, Object.getPrototypeOf(prototype) as object);
  return Message;
};

const maxParameters = 2000;

/** Reads all parameters of a query: Express would read the first 1000 and silently drop the others. */
export const queryParser = (text: string | null): ParsedUrlQuery => {
  if (text === null) return {};
  if (isLongerThan(maxParameters, text)) {
    throw invalidInput(`The query must not have more than ${maxParameters} parameters`);
  }
  return parse(text, '&', '=', { maxKeys: 0 });
};

const isLongerThan = (limit: number, text: string): boolean => {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count += 1;
  return count > limit;
};

/**
 * Makes Express ignore `If-None-Match`, because no route has an ETag. Otherwise Express would answer `*` with 304 and without
 * the body, after the work is done.
 */
export const neverNotModified = (app: NestExpressApplication): void => {
  const { request } = app.getHttpAdapter().getInstance();
  Object.defineProperty(request, 'fresh', { get: () => false });
};

export interface ConnectionLimits {
  /** Connections open at the same time. */
  readonly total: number;
  /** Connections of one remote address open at the same time. */
  readonly perAddress: number;
  /** The time from the opening of a connection, or the first byte of a later request, to the end of the headers. */
  readonly headersMs: number;
  /** The time without a byte in either direction while the service waits for the client. */
  readonly idleMs: number;
  /** The time from an answer to the next request. */
  readonly keepAliveMs: number;
  /** How often the deadline of the headers is checked. */
  readonly checkMs: number;
}

export const connectionDeadlines = { headersMs: 10_000, idleMs: 120_000, keepAliveMs: 5_000, checkMs: 2_000 } as const;

const maxHeaders = 200;

/**
 * Limits the connections of a server. Call it before the server listens. Connections of trusted proxies count only towards the
 * total, because they carry requests of many clients.
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  metrics: Metrics,
): void => {
  server.maxConnections = limits.total;
  server.on('drop', () => metrics.refusedConnections.inc({ limit: 'total' }));
  limitPerAddress(server, limits.perAddress, isTrustedProxy, metrics);
  server.maxHeadersCount = maxHeaders;
  server.headersTimeout = limits.headersMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  // The types have this option only for the constructor, but Node reads it when the server starts to listen.
  Object.assign(server, { connectionsCheckingInterval: limits.checkMs });
  // A deadline for the whole request would cut long imports; the idle time ends stalled ones.
  server.requestTimeout = 0;
  endIdle(server, limits.idleMs);
};

const limitPerAddress = (
  server: Server,
  address: number,
  isTrustedProxy: (address: string) => boolean,
  metrics: Metrics,
): void => {
  const permits = new Permits({ address });
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrustedProxy(remoteAddress)) return;
    const release = permits.tryTake({ address: addressGroup(remoteAddress) ?? 'unknown' });
    if (release) socket.once('close', release);
    else {
      metrics.refusedConnections.inc({ limit: 'address' });
      socket.destroy();
    }
  });
};

const endIdle = (server: Server, idleMs: number): void => {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.timeout = idleMs;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response));
  server.on('timeout', (socket: Socket) => {
    const answer = answers.get(socket);
    // The timer of a socket does not restart by itself.
    if (answer && isServiceAtWork(answer, socket)) socket.setTimeout(idleMs);
    else socket.destroy();
  });
};

/**
 * True if the service is the slow side: the request has arrived, or more of it than the service has read, and the client has read
 * all that was written.
 */
const isServiceAtWork = (answer: ServerResponse, socket: Socket): boolean => {
  const { req: request } = answer;
  const isReceived = request.complete || request.readableLength > 0;
  return isReceived && !answer.writableFinished && socket.writableLength === 0;
};

const graceMs = 1000;
const deadlineMs = 5000;
const pollMs = 20;

/** Ends HTTP without losing a request: running requests are answered, and so are those that clients have already sent. */
export class Drain {
  private readonly answering = new Set<Response>();
  private readonly stop = new AbortController();
  private leaving = false;

  constructor() {
    // Each stream listens to this signal, so the number of listeners must not lead to a warning.
    setMaxListeners(0, this.stop.signal);
  }

  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    this.answering.add(response);
    if (this.isStopping) response.shouldKeepAlive = false;
    atEnd(response, () => this.answering.delete(response));
    next();
  };

  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  /** True once load balancers should send no more requests. Requests that still come are answered normally. */
  get isLeaving(): boolean {
    return this.leaving || this.isStopping;
  }

  /** Aborts when HTTP begins to end: an answer that would go on for ever must end now. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** `delayMs` is the time that load balancers need to notice. */
  async finish(server: Server, delayMs: number): Promise<void> {
    this.leaving = true;
    if (delayMs > 0) await sleep(delayMs);
    this.stop.abort();
    for (const response of this.answering) if (!response.headersSent) response.shouldKeepAlive = false;
    // The close() of http.Server would cut idle connections at once, although a request may be on its way on one of them.
    NetServer.prototype.close.call(server);
    const started = Date.now();
    while (Date.now() - started < graceMs && (await connectionsOf(server)) > 0) await sleep(pollMs);
    server.closeIdleConnections();
    while (Date.now() - started < deadlineMs && this.answering.size > 0) await sleep(pollMs);
    server.closeAllConnections();
  }
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
