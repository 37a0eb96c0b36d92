import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { setMaxListeners } from 'node:events';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Caller } from '../../kernel/access/caller.js';
import { type Requester } from '../../kernel/access/author.js';
import { ClientGone } from '../errors/client-gone.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { RequestProperty } from './request-property.js';

export interface RequestContext {
  readonly requestId: string;
  /** The moment that counts as now for this request; the test clock may set it. */
  now: Date;
  caller: Caller | null;
  /** Whether the caller would be admitted again: an answer that goes on for long asks now and then. */
  isStillAdmitted: () => Promise<boolean>;
  /** The time of `performance.now()` at which the caller was last found to be admitted. */
  admittedAt: number;
  project: ProjectContext | null;
  /** The project of a request without a key, such as captured events: known once its token has been looked up. */
  tokenProjectId: number | null;
  /** Steps between the end of the handler and its answer: each returns what the next one gets, the last what is sent. */
  readonly beforeAnswer: ((answer: unknown) => unknown)[];
  /** Called when the answer has been sent or its connection is closed. */
  readonly endings: (() => void)[];
}

const contexts = new RequestProperty<RequestContext>('context');

export const openContext = (request: IncomingMessage, context: RequestContext): void => {
  contexts.set(request, context);
};

export const contextOf = (request: IncomingMessage): RequestContext => {
  const context = contexts.get(request);
  if (!context) throw new Error('the request has no context: requestContext() must be the first middleware');
  return context;
};

/** Calls `work` when the answer has been sent or its connection is closed: one listener of the response serves all. */
export const atEnd = (response: ServerResponse, work: () => void): void => {
  if (response.closed) work();
  else contextOf(response.req).endings.push(work);
};

const demand = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`the route has no ${what}: does its access rule ask for a key?`);
  return value;
};

export const callerOf = (request: IncomingMessage): Caller => demand(contextOf(request).caller, 'caller');
export const projectOf = (request: IncomingMessage): ProjectContext => demand(contextOf(request).project, 'project');

const current = (host: ExecutionContext): RequestContext =>
  contextOf(host.switchToHttp().getRequest<IncomingMessage>());

/** Aborts when the client disconnects before its answer is complete. */
export const signalOfClient = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  // Each statement of the request listens to it, and a question may have very many.
  setMaxListeners(0, gone.signal);
  atEnd(response, () => {
    if (!response.writableFinished) gone.abort(new ClientGone());
  });
  return gone.signal;
};

/** The signal is made when a reader wants it: most answers come from PostgreSQL, whose short statements are not cancelled. */
const withSignal = (project: ProjectContext, response: ServerResponse): ProjectContext => {
  let signal: AbortSignal | undefined;
  return {
    ...project,
    get signal() {
      signal ??= signalOfClient(response);
      return signal;
    },
  };
};

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isReadingMethod = (method = ''): boolean => readingMethods.has(method);

/** Whether the request changes something: also by the GET whose handler takes `@CurrentProject('writes')`. */
export const isWriting = (host: ExecutionContext, method: string): boolean =>
  !isReadingMethod(method) || takesProject(host, writes);

/** Whether the request only reads: also by the POST whose handler takes `@CurrentProject('reads')`. */
export const isReading = (host: ExecutionContext, method: string): boolean =>
  isReadingMethod(method) ? !takesProject(host, writes) : takesProject(host, reads);

const writes = 'writes';
const reads = 'reads';

type Kind = typeof writes | typeof reads;

/** What the handler says of itself; the metadata of a handler never change. */
const kinds = new WeakMap<object, Kind | null>();

const takesProject = (host: ExecutionContext, kind: Kind): boolean => {
  const handler = host.getHandler();
  const known = kinds.get(handler);
  if (known !== undefined) return known === kind;
  const places = (Reflect.getMetadata(ROUTE_ARGS_METADATA, host.getClass(), handler.name) ?? {}) as Record<
    string,
    { readonly data?: unknown }
  >;
  const isKind = (data: unknown): data is Kind => data === writes || data === reads;
  const found = Object.values(places).map(({ data }) => data);
  kinds.set(handler, found.find(isKind) ?? null);
  return found.includes(kind);
};

/**
 * The project of the request. A writing request is completed and answered even if its client has disconnected, so only a
 * reading one gets a signal; `kind` is for the POST that reads and the GET that writes.
 */
export const CurrentProject = createParamDecorator(
  (kind: typeof reads | typeof writes | undefined, host: ExecutionContext) => {
    const http = host.switchToHttp();
    const project: ProjectContext = demand(current(host).project, 'project');
    const onlyReads = kind ? kind === reads : isReadingMethod(http.getRequest<IncomingMessage>().method);
    return onlyReads ? withSignal(project, http.getResponse<ServerResponse>()) : project;
  },
);
export const CurrentCaller = createParamDecorator((_: unknown, host: ExecutionContext) =>
  demand(current(host).caller, 'caller'),
);
export const Now = createParamDecorator((_: unknown, host: ExecutionContext) => current(host).now);
export const CurrentAuthor = createParamDecorator((_: unknown, host: ExecutionContext): Requester => {
  const { caller, requestId, now } = current(host);
  const { userId, scopes, keyId } = demand(caller, 'caller');
  return { userId, scopes, keyId, requestId, now };
});
