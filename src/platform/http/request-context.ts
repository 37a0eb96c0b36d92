import { type IncomingMessage, type ServerResponse } from 'node:http';
import { setMaxListeners } from 'node:events';
import { ClientGone } from '../errors/client-gone.js';

/**
 * A value that belongs to a request. It is a property of the request and not an entry of a WeakMap: the garbage collector keeps
 * the values of a WeakMap, such as bodies, until a full collection.
 */
export class RequestProperty<T> {
  private readonly key: symbol;

  constructor(name: string) {
    this.key = Symbol(name);
  }

  get(request: IncomingMessage): T | undefined {
    return (request as unknown as Record<symbol, T | undefined>)[this.key];
  }

  set(request: IncomingMessage, value: T): void {
    (request as unknown as Record<symbol, T | undefined>)[this.key] = value;
  }
}

/** The key or the session of a caller; the other one is null. */
interface Credential {
  readonly keyId: string | null;
  readonly sessionId: string | null;
}

/** `Who` and `Project` are types of the module that admits callers; this folder uses only their ids, for the log. */
export interface RequestContext<
  Who extends Credential = Credential,
  Project extends { readonly id: number } = { readonly id: number },
> {
  readonly requestId: string;
  /** The moment that counts as now for this request; the test clock may set it. */
  now: Date;
  caller: Who | null;
  /** True if the caller would still be admitted. A long answer asks this from time to time. */
  isStillAdmitted: () => Promise<boolean>;
  /** The time of `performance.now()` at which the caller was last found to be admitted. */
  admittedAt: number;
  project: Project | null;
  /** The project of a request with a project token instead of a key, such as captured events, once it has been looked up. */
  tokenProjectId: number | null;
  /** Steps between the end of the handler and the answer. Each receives the result of the one before; the last result is sent. */
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

/** Calls `work` when the answer has been sent or its connection is closed. All calls share one listener of the response. */
export const atEnd = (response: ServerResponse, work: () => void): void => {
  if (response.closed) work();
  else contextOf(response.req).endings.push(work);
};

/** Aborts when the client disconnects before its answer is complete. */
export const signalOfClient = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  // Each statement of the request listens to this signal, and a question may have very many statements.
  setMaxListeners(0, gone.signal);
  atEnd(response, () => {
    if (!response.writableFinished) gone.abort(new ClientGone());
  });
  return gone.signal;
};

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isReadingMethod = (method = ''): boolean => readingMethods.has(method);
