import { describe, expect, it } from '@jest/globals';
import { resourceFromAttributes } from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { prometheusProducer } from './prometheus-producer.js';

describe('metrics of Prometheus as OTLP', () => {
  it('have the same numbers: what lies between two boundaries, for each set of labels', async () => {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ name: 'sent', help: 'h', labelNames: ['to'], registers }).inc({ to: 'a' }, 3);
    new Gauge({ name: 'lag', help: 'h', registers }).set(0.5);
    const seconds = new Histogram({ name: 'seconds', help: 'h', labelNames: ['route'], buckets: [1, 2], registers });
    for (const value of [0.5, 1, 1.5, 7]) seconds.observe({ route: '/a' }, value);
    seconds.observe({ route: '/b' }, 3);
    const resource = resourceFromAttributes({});
    const { resourceMetrics } = await prometheusProducer(sdk, registry, resource, 1000).collect();
    const [scope] = resourceMetrics.scopeMetrics;
    const point = (attributes: object, value: unknown) =>
      expect.objectContaining({ startTime: [1, 0], attributes, value });
    expect(
      scope?.metrics.map(({ descriptor, dataPointType, dataPoints }) => [descriptor.name, dataPointType, dataPoints]),
    ).toEqual([
      ['sent', sdk.DataPointType.SUM, [point({ to: 'a' }, 3)]],
      ['lag', sdk.DataPointType.GAUGE, [point({}, 0.5)]],
      [
        'seconds',
        sdk.DataPointType.HISTOGRAM,
        [
          point({ route: '/a' }, { sum: 10, count: 4, buckets: { boundaries: [1, 2], counts: [2, 1, 1] } }),
          point({ route: '/b' }, { sum: 3, count: 1, buckets: { boundaries: [1, 2], counts: [0, 0, 1] } }),
        ],
      ],
    ]);
  });
});
