import { type NextFunction, type Request, type Response } from 'express';
import { atEnd, contextOf } from './request-context.js';
import { operationsPaths, routeOf } from './request-log.middleware.js';
import { startRequest, isTracing } from '../telemetry/tracing.js';

/** Traces each request but health checks, below the span that the client names in `traceparent`. */
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
