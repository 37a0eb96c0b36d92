import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { type Caller } from '../access/caller.js';
import { type Author } from '../author.js';
import { type ProjectContext } from '../project-context.js';

export interface RequestContext {
  readonly requestId: string;
  /** The moment this request counts as now; the test clock may set it. */
  now: Date;
  caller: Caller | null;
  project: ProjectContext | null;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export const openContext = (request: IncomingMessage, context: RequestContext): void => {
  contexts.set(request, context);
};

export const contextOf = (request: IncomingMessage): RequestContext => {
  const context = contexts.get(request);
  if (!context) throw new Error('the request has no context: requestContext() must be the first middleware');
  return context;
};

const demand = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`the route has no ${what}: does its access rule ask for a key?`);
  return value;
};

const current = (host: ExecutionContext): RequestContext =>
  contextOf(host.switchToHttp().getRequest<IncomingMessage>());

export const Project = createParamDecorator((_: unknown, host: ExecutionContext) =>
  demand(current(host).project, 'project'),
);
export const CurrentCaller = createParamDecorator((_: unknown, host: ExecutionContext) =>
  demand(current(host).caller, 'caller'),
);
export const Now = createParamDecorator((_: unknown, host: ExecutionContext) => current(host).now);
export const CurrentAuthor = createParamDecorator((_: unknown, host: ExecutionContext): Author => {
  const { caller, requestId, now } = current(host);
  return { userId: demand(caller, 'caller').userId, requestId, now };
});
