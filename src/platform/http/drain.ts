import { setMaxListeners } from 'node:events';
import { type NextFunction, type Request, type Response } from 'express';
import { type Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './request-context.js';

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
  async finish(server: HttpServer, delayMs: number): Promise<void> {
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

const connectionsOf = (server: HttpServer): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
