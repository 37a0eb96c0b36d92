import { type GrantedScope } from './scopes.js';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type RequestContext,
  contextOf,
  isReadingMethod,
  signalOfClient,
} from '../../platform/http/request-context.js';
import { type Requester } from './author.js';
import { type Caller } from './caller.js';
import { type ProjectContext } from './project-context.js';

/** The callers that a route admits. Each route has exactly one rule; the guard refuses a route without one. */
export type AccessRule =
  /** Counted against the limit of the remote address, except health checks. */
  | { readonly kind: 'public'; readonly isHealthCheck: boolean }
  /** A project's public token inside the payload, which capture checks once the payload is decoded. */
  | { readonly kind: 'project_token' }
  /**
   * A personal API key or a session that has all of these scopes; an empty list accepts any that is valid. The scope `*` is for
   * routes that concern the whole installation.
   */
  | { readonly kind: 'key'; readonly scopes: readonly GrantedScope[]; readonly onlySessions: boolean };

const rules = new WeakMap<object, AccessRule[]>();

/** Returns a list, so that a test can detect a route with two rules. */
export const accessRulesOf = (handler: object): readonly AccessRule[] => rules.get(handler) ?? [];

const declare =
  (rule: AccessRule): MethodDecorator =>
  (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    rules.set(handler, [...accessRulesOf(handler), rule]);
  };

export const Public = (): MethodDecorator => declare({ kind: 'public', isHealthCheck: false });
export const HealthCheck = (): MethodDecorator => declare({ kind: 'public', isHealthCheck: true });
export const ProjectToken = (): MethodDecorator => declare({ kind: 'project_token' });
export const RequiresScope = (...scopes: readonly GrantedScope[]): MethodDecorator =>
  declare({ kind: 'key', scopes, onlySessions: false });
/** The route concerns the signed-in user, so an API key does not open it. */
export const RequiresSession = (): MethodDecorator => declare({ kind: 'key', scopes: [], onlySessions: true });

/** The context of a request, with the caller and the project that admission has set. */
export const admittedContextOf = (request: IncomingMessage): RequestContext<Caller, ProjectContext> =>
  contextOf(request) as RequestContext<Caller, ProjectContext>;

const required = <T>(value: T | null, what: string): T => {
  if (value === null) throw new Error(`the route has no ${what}: does its access rule ask for a key?`);
  return value;
};

export const callerOf = (request: IncomingMessage): Caller => required(admittedContextOf(request).caller, 'caller');
export const projectOf = (request: IncomingMessage): ProjectContext =>
  required(admittedContextOf(request).project, 'project');

const current = (host: ExecutionContext): RequestContext<Caller, ProjectContext> =>
  admittedContextOf(host.switchToHttp().getRequest<IncomingMessage>());

/** Makes the signal only when it is read: most answers come from PostgreSQL, whose short statements are not cancelled. */
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

/** True if the request changes something: also for the GET whose handler takes `@CurrentProject('writes')`. */
export const isWriting = (host: ExecutionContext, method: string): boolean =>
  !isReadingMethod(method) || takesProject(host, writes);

/** True if the request only reads: also for the POST whose handler takes `@CurrentProject('reads')`. */
export const isReading = (host: ExecutionContext, method: string): boolean =>
  isReadingMethod(method) ? !takesProject(host, writes) : takesProject(host, reads);

const writes = 'writes';
const reads = 'reads';

type Kind = typeof writes | typeof reads;

/** Cached, because the metadata of a handler never change. */
const kinds = new WeakMap<object, Kind | null>();

const takesProject = (host: ExecutionContext, kind: Kind): boolean => {
  const handler = host.getHandler();
  const known = kinds.get(handler);
  if (known !== undefined) return known === kind;
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, host.getClass(), handler.name) ?? {}) as Record<
    string,
    { readonly data?: unknown }
  >;
  const isKind = (data: unknown): data is Kind => data === writes || data === reads;
  const found = Object.values(args).map(({ data }) => data);
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
    const project: ProjectContext = required(current(host).project, 'project');
    const onlyReads = kind ? kind === reads : isReadingMethod(http.getRequest<IncomingMessage>().method);
    return onlyReads ? withSignal(project, http.getResponse<ServerResponse>()) : project;
  },
);
export const CurrentCaller = createParamDecorator((_: unknown, host: ExecutionContext) =>
  required(current(host).caller, 'caller'),
);
export const Now = createParamDecorator((_: unknown, host: ExecutionContext) => current(host).now);
export const CurrentAuthor = createParamDecorator((_: unknown, host: ExecutionContext): Requester => {
  const { caller, requestId, now } = current(host);
  const { userId, scopes, keyId } = required(caller, 'caller');
  return { userId, scopes, keyId, requestId, now };
});
