import { type Context, type Link, type Span as OtelSpan, type Tracer as OtelTracer } from '@opentelemetry/api';
import { type Registry } from 'prom-client';
import { type TelemetryConfig } from '../config/telemetry.js';
import { type Logger } from './logger.js';
import { within } from '../time/within.js';
import { prometheusProducer } from './prometheus-producer.js';
import { type RemoteParent, type Span, type SpanStart, type Tracer, useTracer } from './tracing.js';

type Api = typeof import('@opentelemetry/api');

export interface Telemetry {
  /** Sends the rest of the data, and stops. */
  stop(): Promise<void>;
}

const stopMs = 5_000;

/** Sends traces and metrics over OTLP. If no URL for them is configured, nothing of OpenTelemetry is loaded. */
export const startTelemetry = async (
  config: TelemetryConfig,
  registry: Registry,
  logger: Logger,
): Promise<Telemetry | null> => {
  const { tracesUrl, metricsUrl } = config;
  if (!tracesUrl && !metricsUrl) return null;
  const api = await import('@opentelemetry/api');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ ...config.resourceAttributes, 'service.name': config.serviceName });
  api.diag.setLogger(faultsTo(logger), { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const stops: (() => Promise<void>)[] = [];
  const { headers, timeoutMs: timeoutMillis } = config;
  if (tracesUrl) {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
    const exporter = new OTLPTraceExporter({ url: tracesUrl.href, headers, timeoutMillis });
    const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
    useTracer(new OtlpTracer(api, provider.getTracer('kohort')));
    stops.push(async () => {
      useTracer(null);
      await provider.shutdown();
    });
  }
  if (metricsUrl) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    const sdk = await import('@opentelemetry/sdk-metrics');
    const reader = new sdk.PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ url: metricsUrl.href, headers, timeoutMillis }),
      exportIntervalMillis: config.metricIntervalMs,
      exportTimeoutMillis: Math.min(config.metricIntervalMs, timeoutMillis),
      metricProducers: [prometheusProducer(sdk, registry, resource, Date.now())],
    });
    const provider = new sdk.MeterProvider({ resource, readers: [reader] });
    stops.push(() => provider.shutdown());
  }
  logger.info({ traces: tracesUrl?.host ?? null, metrics: metricsUrl?.host ?? null }, 'telemetry is sent over OTLP');
  return {
    stop: async () => {
      await within(stopMs, Promise.allSettled(stops.map((stop) => stop())));
      api.diag.disable();
    },
  };
};

/** A collector that is down must not fail requests, but the operator has to know. */
const faultsTo = (logger: Logger) => {
  const warn = (reason: string): void => logger.warn({ reason }, 'telemetry could not be sent');
  const nothing = (): void => undefined;
  return { error: warn, warn, info: nothing, debug: nothing, verbose: nothing };
};

class OtlpTracer implements Tracer {
  constructor(
    private readonly api: Api,
    private readonly tracer: OtelTracer,
  ) {}

  start({ name, kind, attributes }: SpanStart, parent: Span | RemoteParent, links: readonly Span[] = []): Span {
    const { SpanKind } = this.api;
    const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
    const options = { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(linkTo) };
    return new OtlpSpan(this.api, this.tracer.startSpan(name, options, this.contextOf(parent)));
  }

  private contextOf(parent: Span | RemoteParent): Context {
    const { ROOT_CONTEXT, trace } = this.api;
    if (parent instanceof OtlpSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
    if (!('traceparent' in parent)) return ROOT_CONTEXT;
    const remote = this.remoteContext(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  }

  private remoteContext({ traceparent = '', tracestate }: RemoteParent) {
    // Version 00 has four parts; a later one may have more.
    const [, version, traceId = '', spanId = '', flags = '', more] =
      /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent.trim()) ?? [];
    if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
    const context = {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16) & this.api.TraceFlags.SAMPLED,
      isRemote: true,
      ...(tracestate === undefined ? {} : { traceState: this.api.createTraceState(tracestate) }),
    };
    return this.api.isSpanContextValid(context) ? context : null;
  }
}

class OtlpSpan implements Span {
  constructor(
    private readonly api: Api,
    readonly span: OtelSpan,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  set(attributes: Parameters<Span['set']>[0]): void {
    this.span.setAttributes({ ...attributes });
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  fail(message: string): void {
    this.span.setStatus({ code: this.api.SpanStatusCode.ERROR, message });
  }

  end(): void {
    this.span.end();
  }
}

const linkTo = (span: Span): Link[] => (span instanceof OtlpSpan ? [{ context: span.span.spanContext() }] : []);
