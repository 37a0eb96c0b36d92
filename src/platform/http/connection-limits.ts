import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Permits } from '../work/permits.js';
import { type Metrics } from '../telemetry/metrics.js';
import { addressGroup } from './client-address.js';

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
