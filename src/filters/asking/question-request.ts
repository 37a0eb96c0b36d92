import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { admittedContextOf } from '../../kernel/access/current-request.js';
import { signalOfClient } from '../../platform/http/request-context.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Params } from './question-params.js';

/** A question for an insight. */
export interface AskedQuestion {
  readonly project: ProjectContext;
  readonly params: Params;
  readonly now: Date;
  /** Aborts when the client disconnects before the answer, so that its statements stop. */
  readonly signal: AbortSignal;
}

/** A request for an insight, by GET or POST. */
export interface QuestionRequest extends AskedQuestion {
  readonly request: Request;
  readonly response: Response;
}

export const Question = createParamDecorator((_: unknown, host: ExecutionContext): QuestionRequest => {
  const http = host.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  const { project, now } = admittedContextOf(request);
  if (project === null) throw new Error('a question needs a project: does the route require a key?');
  const fields: unknown = request.method === 'POST' ? request.body : {};
  const body = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  const signal = signalOfClient(response);
  return { project: { ...project, signal }, params: Params.of(request.query, body), now, signal, request, response };
});
