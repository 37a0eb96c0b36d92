import { type DataPointType, type Histogram, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics';
import { type Registry } from 'prom-client';

type Sdk = typeof import('@opentelemetry/sdk-metrics');
type Resource = ConstructorParameters<Sdk['MeterProvider']>[0] extends { resource?: infer R } | undefined
  ? NonNullable<R>
  : never;
type Time = [seconds: number, nanoseconds: number];
type Labels = Readonly<Record<string, string | number>>;

interface Value {
  readonly value: number;
  readonly labels: Labels;
  readonly metricName?: string;
}

/** The result of `getMetricsAsJSON`; its own types leave out the parts of histograms. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly Value[];
}

const timeOf = (ms: number): Time => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];

/** Gives the metrics of `/metrics` to OTLP, so that each is counted once and both show the same numbers. */
export const prometheusProducer = (
  sdk: Sdk,
  registry: Registry,
  resource: Resource,
  startedAt: number,
): MetricProducer => ({
  collect: async () => {
    const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly Metric[];
    const times = { startTime: timeOf(startedAt), endTime: timeOf(Date.now()) };
    const scopeMetrics = [
      { scope: { name: 'kohort' }, metrics: metrics.flatMap((metric) => dataOf(sdk, metric, times)) },
    ];
    return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
  },
});

interface Times {
  readonly startTime: Time;
  readonly endTime: Time;
}

const dataOf = (sdk: Sdk, metric: Metric, times: Times): MetricData[] => {
  const { name, help: description, type, values } = metric;
  const common = {
    descriptor: { name, description, unit: '', valueType: sdkValueType },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  };
  const points = () => values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }));
  switch (type) {
    case 'counter':
      return [{ ...common, dataPointType: sum(sdk), isMonotonic: true, dataPoints: points() }];
    case 'gauge':
      return [{ ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints: points() }];
    case 'histogram':
      return [{ ...common, dataPointType: sdk.DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) }];
    default:
      return [];
  }
};

/** `ValueType.DOUBLE` of the API. */
const sdkValueType = 1;

const sum = (sdk: Sdk): DataPointType.SUM => sdk.DataPointType.SUM;

/** Converts histograms: Prometheus counts all values below each boundary, OTLP those between two boundaries. */
const histograms = ({ name, values }: Metric, times: Times) => {
  const series = new Map<string, { labels: Labels; buckets: Value[]; sum: number; count: number }>();
  for (const value of values) {
    const labels = Object.fromEntries(Object.entries(value.labels).filter(([key]) => key !== 'le'));
    const key = JSON.stringify(labels);
    const one = series.get(key) ?? { labels, buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (value.metricName === `${name}_sum`) one.sum = value.value;
    else if (value.metricName === `${name}_count`) one.count = value.value;
    else one.buckets.push(value);
  }
  return [...series.values()].map(({ labels, buckets, sum, count }) => ({
    ...times,
    attributes: { ...labels },
    value: { sum, count, buckets: between(buckets, count) } satisfies Histogram,
  }));
};

const between = (buckets: readonly Value[], count: number): Histogram['buckets'] => {
  const bounded = buckets.filter(({ labels }) => labels.le !== '+Inf');
  const below = bounded.map(({ value }) => value);
  return {
    boundaries: bounded.map(({ labels }) => Number(labels.le)),
    counts: [...below, count].map((value, at) => value - (below[at - 1] ?? 0)),
  };
};
