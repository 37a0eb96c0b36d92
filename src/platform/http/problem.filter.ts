import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { contextOf } from './request-context.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { RepeatedLines } from '../telemetry/repeated-lines.js';
import { problemOfHttpError } from '../errors/framework-errors.js';
import { Problem, internalError } from '../errors/problem.js';
import { postgresAdvice, problemOfPostgresError } from '../errors/store-errors.js';

export const sendProblem = (request: Request, response: Response, problem: Problem): void => {
  if (response.headersSent) {
    // The status line has been sent; only closing the connection can still show that the body is incomplete.
    response.destroy();
    return;
  }
  response.status(problem.status).set(problem.headers).type('application/problem+json');
  response.send(problemText(problem, contextOf(request).requestId));
};

export const problemText = (problem: Problem, requestId: string): string =>
  JSON.stringify({
    type: problem.type,
    code: problem.code,
    detail: problem.detail,
    attr: problem.attr,
    status: problem.status,
    request_id: requestId,
    ...problem.extra,
  });

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly repeated = new RepeatedLines();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    sendProblem(request, http.getResponse<Response>(), this.problemOf(error, contextOf(request).requestId));
  }

  problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) {
      if (error.status >= 500) this.logOutage('warn', error.message, 'a store is unavailable', requestId);
      return error;
    }
    const known = error instanceof Error ? (problemOfHttpError(error) ?? problemOfPostgresError(error)) : null;
    const advice = postgresAdvice(error);
    const plain = withoutValues(error);
    if (advice !== null) this.logOutage('error', plain.message, advice, requestId);
    else if (!known) this.logger.error({ request_id: requestId, err: plain }, 'request failed');
    else if (known.status >= 500) this.logOutage('error', plain.message, 'request failed', requestId);
    return known ?? internalError();
  }

  private logOutage(level: 'warn' | 'error', reason: string, line: string, requestId: string): void {
    this.repeated.add(`${line}: ${reason}`, (times) =>
      this.logger[level]({ request_id: requestId, reason, ...(times === 1 ? {} : { times }) }, line),
    );
  }
}

/** Driver errors contain the statement's values, which are the users' data. */
const withoutValues = (error: unknown): { name: string; message: string; code?: unknown; stack?: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message, code: 'code' in error ? error.code : undefined, stack: error.stack }
    : { name: 'unknown', message: 'a value that is not an error was thrown' };
