import { AsyncLocalStorage } from 'node:async_hooks';
import { Histogram, type Registry } from 'prom-client';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  readonly traceId: string;
  set(attributes: Attributes): void;
  rename(name: string): void;
  fail(message: string): void;
  end(): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes: Attributes;
}

/** The headers in which a client names its own span (W3C Trace Context). */
export interface RemoteParent {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Tracer {
  start(start: SpanStart, parent: Span | RemoteParent, links?: readonly Span[]): Span;
}

const current = new AsyncLocalStorage<Span | undefined>();
/** The tracer of the process: one for all, because statements are traced far from the application. Null without OTLP. */
let tracer: Tracer | null = null;

export const useTracer = (used: Tracer | null): void => {
  tracer = used;
};

export const isTracing = (): boolean => tracer !== null;

/** True if spans are recorded here. Only work of a request is traced; background work is not. */
export const isTraced = (): boolean => tracer !== null && current.getStore() !== undefined;

export const currentSpan = (): Span | null => (tracer === null ? null : (current.getStore() ?? null));

/** Begins the span of a request and runs `work` within it; the caller ends it. Returns null when nothing is traced. */
export const startRequest = (start: SpanStart, parent: RemoteParent, work: () => void): Span | null => {
  if (tracer === null) {
    work();
    return null;
  }
  const span = tracer.start(start, parent);
  current.run(span, work);
  return span;
};

/** Runs `work` in a child of the current span. */
export const traced = <T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> => {
  const parent = currentSpan();
  return tracer === null || parent === null ? work() : within(tracer.start(start(), parent), work);
};

/** Runs work that several requests share: in a span of the first one, with links to the others. */
export const tracedFor = <T>(
  requests: readonly (Span | null)[],
  start: () => SpanStart,
  work: () => Promise<T>,
): Promise<T> => {
  if (tracer === null) return work();
  const [parent, ...others] = requests.filter((span) => span !== null);
  // The work may have been started by another request, to which its statements do not belong.
  return parent === undefined ? current.run(undefined, work) : within(tracer.start(start(), parent, others), work);
};

const within = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
  try {
    return await current.run(span, work);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'failed');
    throw error;
  } finally {
    span.end();
  }
};

const seconds = new Histogram({
  name: 'kohort_store_statement_seconds',
  help: 'Time in which the stores answered statements of this process, without the wait for a connection',
  labelNames: ['pool'] as const,
  buckets: [0.001, 0.01, 0.1, 1, 10],
  registers: [],
});

/** Counted per process and not per service, because the stores are opened before the service is made. */
export const observeStatement = (pool: string, startedAt: number): void =>
  seconds.observe({ pool }, (performance.now() - startedAt) / 1000);

export const registerStatementSeconds = (registry: Registry): void => registry.registerMetric(seconds);
