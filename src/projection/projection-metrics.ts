import { Counter, Gauge, type Registry } from 'prom-client';
import { type ProjectionStatus } from './status.js';

/** How long one read is reused: all gauges are read at the same moment. */
const shareMs = 500;

export class ProjectionMetrics {
  private readonly shipped: Counter<'table'>;

  constructor(registry: Registry, status: () => Promise<ProjectionStatus>) {
    const look = shared(status);
    new Gauge({
      name: 'kohort_projection_lag_seconds',
      help: 'Age of the oldest change that is not yet in ClickHouse',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.lagSeconds);
      },
    });
    new Gauge({
      name: 'kohort_projection_waiting_keys',
      help: 'Events, persons and distinct ids that are not yet in ClickHouse',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.waitingKeys);
      },
    });
    new Gauge({
      name: 'kohort_projection_parked_shipments',
      help: 'Shipments that ClickHouse refuses, and behind which their projects wait for `projection retry`',
      registers: [registry],
      async collect() {
        const seen = await look();
        if (seen) this.set(seen.parked.length);
      },
    });
    this.shipped = new Counter({
      name: 'kohort_projection_shipped_rows_total',
      help: 'Rows shipped to ClickHouse by this process',
      labelNames: ['table'],
      registers: [registry],
    });
  }

  count(rows: ReadonlyMap<string, number>): void {
    for (const [table, number] of rows) this.shipped.inc({ table }, number);
  }
}

/** Metrics must be served even while PostgreSQL is away; the gauges then keep their last value. */
const shared = <T>(look: () => Promise<T>): (() => Promise<T | null>) => {
  let latest: { at: number; seen: Promise<T | null> } | null = null;
  return () => {
    if (!latest || Date.now() - latest.at > shareMs) latest = { at: Date.now(), seen: look().catch(() => null) };
    return latest.seen;
  };
};
