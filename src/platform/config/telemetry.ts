import { type Settings } from './settings.js';

/** The destinations of OpenTelemetry data. Traces or metrics without a URL are not sent. */
export interface TelemetryConfig {
  readonly tracesUrl: URL | null;
  readonly metricsUrl: URL | null;
  readonly headers: Record<string, string>;
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly metricIntervalMs: number;
}

export const telemetryOf = (env: Settings): TelemetryConfig => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  const urlOf = (exporter: 'otlp' | 'none', own: URL | null, path: string): URL | null => {
    if (env.OTEL_SDK_DISABLED || exporter === 'none') return null;
    if (own) return own;
    // The standard lets a base URL have a path of its own.
    return base && new URL(`${base.href.replace(/\/$/, '')}/${path}`);
  };
  return {
    tracesUrl: urlOf(env.OTEL_TRACES_EXPORTER, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, 'v1/traces'),
    metricsUrl: urlOf(env.OTEL_METRICS_EXPORTER, env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, 'v1/metrics'),
    headers: { ...env.OTEL_EXPORTER_OTLP_HEADERS },
    serviceName: env.OTEL_SERVICE_NAME,
    resourceAttributes: env.OTEL_RESOURCE_ATTRIBUTES,
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    metricIntervalMs: env.OTEL_METRIC_EXPORT_INTERVAL,
  };
};
