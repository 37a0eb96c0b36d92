import { Counter, Gauge, type Registry } from 'prom-client';
import { sharedLook } from '../../platform/telemetry/shared-look.js';
import { causeOf, failureCauses } from './shipping/faults.js';
import { type ProjectionStatus } from './status.js';

export class ProjectionMetrics {
  private readonly shipped: Counter<'table'>;
  private readonly failures: Counter<'cause'>;

  constructor(registry: Registry, status: () => Promise<ProjectionStatus>) {
    const look = sharedLook(status);
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
      help: 'Shipments that ClickHouse refuses, so that their projects wait for `projection retry`',
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
    this.failures = new Counter({
      name: 'kohort_projection_failures_total',
      help: 'Attempts of this process to bring ClickHouse up to date that failed, by cause',
      labelNames: ['cause'],
      registers: [registry],
    });
    // Prometheus sees no increase in a series that begins with its first failure.
    for (const cause of failureCauses) this.failures.inc({ cause }, 0);
  }

  count(rows: ReadonlyMap<string, number>): void {
    for (const [table, number] of rows) this.shipped.inc({ table }, number);
  }

  failed(error: unknown): void {
    this.failures.inc({ cause: causeOf(error) });
  }
}
