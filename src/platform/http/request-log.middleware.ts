import { type NextFunction, type Request, type Response } from 'express';
import { type Logger } from '../telemetry/logger.js';
import { type Metrics } from '../telemetry/metrics.js';
import { currentSpan } from '../telemetry/tracing.js';
import { atEnd, contextOf } from './request-context.js';

/** Swagger serves these paths itself: no route of ours matches them, and the guard does not count them. */
export const documentPaths = ['/docs', '/openapi.json', '/openapi.yaml'];

/** Health checks and metrics, which something asks for every few seconds. */
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

export const routeOf = (request: Request): string => {
  const route = request.route as { path?: unknown } | undefined;
  if (typeof route?.path === 'string' && !route.path.includes('*')) return route.path;
  const [path = ''] = request.originalUrl.split('?', 1);
  return documentPaths.find((known) => path === known || path.startsWith(`${known}/`)) ?? 'unmatched';
};
