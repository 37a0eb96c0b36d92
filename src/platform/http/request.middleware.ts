import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { type Config } from '../config/config.js';
import { sendProblem } from './problem.filter.js';
import { invalidInput } from '../errors/problem.js';
import { atEnd, contextOf, openContext } from './request-context.js';
import { type Logger } from '../telemetry/logger.js';
import { type Metrics } from '../telemetry/metrics.js';
import { currentSpan, isTracing, startRequest } from '../telemetry/tracing.js';

const saneRequestId = /^[A-Za-z0-9._:-]{1,100}$/;

/** One middleware of several: Express takes longer from one to the next than most of them take. */
export const inTurn =
  (...steps: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    const run = (at: number): void => {
      const step = steps[at];
      if (step) step(request, response, (error?: unknown) => (error ? next(error) : run(at + 1)));
      else next();
    };
    run(0);
  };

/** Runs before all other middleware, so that every later log line, error and activity entry can name the request. */
export const requestContext =
  (config: Config, clock: { now(): Date }) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const received = request.get('x-request-id');
    const requestId = received !== undefined && saneRequestId.test(received) ? received : randomUUID();
    const testNow = config.allowTestClock ? request.get('x-test-now') : undefined;
    const now = testNow === undefined ? clock.now() : new Date(testNow);
    response.setHeader('X-Request-Id', requestId);
    // Limits and streams listen to the end of an answer, too. Node would take more than ten listeners for a leak.
    response.setMaxListeners(30);
    const endings: (() => void)[] = [];
    response.once('close', () => {
      for (const end of endings) end();
    });
    openContext(request, {
      requestId,
      now,
      caller: null,
      isStillAdmitted: () => Promise.resolve(true),
      admittedAt: performance.now(),
      project: null,
      tokenProjectId: null,
      beforeAnswer: [],
      endings,
    });
    if (request.httpVersion === '1.1' && request.headers.host === undefined) {
      sendProblem(request, response, invalidInput('The header Host is required', 'Host'));
      return;
    }
    if (Number.isNaN(now.getTime())) {
      sendProblem(request, response, invalidInput('X-Test-Now must be an ISO date', 'X-Test-Now'));
      return;
    }
    next();
  };

/** Paths of Swagger and of texts: no route of ours matches them, so the guard does not count their requests. */
export const documentPaths = ['/docs', '/openapi.json', '/openapi.yaml', '/llms.txt', '/.well-known/security.txt'];

/** Health checks and metrics, which are requested every few seconds. */
export const operationsPaths = /^\/(_livez|_readyz|metrics)\/?$/;

/** Writes one line per request, without the URL: queries contain e-mails and property values. */
export const requestLog =
  (logger: Logger, metrics: Metrics) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    const span = currentSpan();
    atEnd(response, () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      const route = routeOf(request);
      metrics.requestSeconds.observe({ method: request.method, route, status: response.statusCode }, ms / 1000);
      const { requestId, caller, project, tokenProjectId } = contextOf(request);
      const isProbe = operationsPaths.test(request.path) && response.statusCode < 300;
      logger[isProbe ? 'debug' : 'info'](
        {
          request_id: requestId,
          method: request.method,
          route,
          status: response.statusCode,
          ms: Math.round(ms * 10) / 10,
          key_id: caller?.keyId ?? null,
          ...(caller?.sessionId ? { session_id: caller.sessionId } : {}),
          project_id: project?.id ?? tokenProjectId,
          ...(span ? { trace_id: span.traceId } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    next();
  };

const routeOf = (request: Request): string => {
  const route = request.route as { path?: unknown } | undefined;
  if (typeof route?.path === 'string' && !route.path.includes('*')) return route.path;
  const [path = ''] = request.originalUrl.split('?', 1);
  return documentPaths.find((known) => path === known || path.startsWith(`${known}/`)) ?? 'unmatched';
};

/** Traces each request except health checks and metrics, as a child of the span that `traceparent` names. */
export const requestSpan = (request: Request, response: Response, next: NextFunction): void => {
  if (!isTracing() || operationsPaths.test(request.path)) {
    next();
    return;
  }
  const { method } = request;
  const span = startRequest(
    { name: method, kind: 'server', attributes: { 'http.request.method': method } },
    { traceparent: request.get('traceparent'), tracestate: request.get('tracestate') },
    next,
  );
  if (!span) return;
  const { requestId } = contextOf(request);
  atEnd(response, () => {
    const route = routeOf(request);
    const { project, tokenProjectId } = contextOf(request);
    const projectId = project?.id ?? tokenProjectId;
    span.rename(`${method} ${route}`);
    span.set({
      'http.route': route,
      'http.response.status_code': response.statusCode,
      'kohort.request_id': requestId,
      ...(projectId === null ? {} : { 'kohort.project_id': projectId }),
    });
    if (response.statusCode >= 500) span.fail(String(response.statusCode));
    span.end();
  });
};
