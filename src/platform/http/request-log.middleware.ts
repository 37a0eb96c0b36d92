import { type NextFunction, type Request, type Response } from 'express';
import { type Logger } from '../telemetry/logger.js';
import { type Metrics } from '../telemetry/metrics.js';
import { currentSpan, isTracing, startRequest } from '../telemetry/tracing.js';
import { atEnd, contextOf } from './request-context.js';

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
