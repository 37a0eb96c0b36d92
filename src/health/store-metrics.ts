import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../common/metrics/metrics.js';
import { BeingFilled, NotTheProjection } from '../projection/identity/verdict.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { readOnlyFault, serverState, unsafeSettings, type ServerState } from '../stores/postgres/server-state.js';

const timeoutMs = 1500;
const settings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

@Injectable()
export class StoreMetrics {
  constructor({ registry }: Metrics, { pool }: Postgres, clickhouse: ClickHouse) {
    new Gauge({
      name: 'kohort_postgres_fault',
      help: '1 while PostgreSQL takes no changes, or has a setting that lets a crash lose what was acknowledged',
      labelNames: ['fault'],
      registers: [registry],
      async collect() {
        // While PostgreSQL is away, the values stay.
        const state = await serverState(pool, timeoutMs).catch(() => null);
        if (state === null) return;
        for (const [fault, holds] of faultsIn(state)) this.set({ fault }, holds ? 1 : 0);
      },
    });
    new Gauge({
      name: 'kohort_clickhouse_fault',
      help: '1 while ClickHouse does not have the projection of this PostgreSQL, or has that of a newer release, or is being filled',
      labelNames: ['fault'],
      registers: [registry],
      async collect() {
        const { ownership } = clickhouse;
        // While PostgreSQL is away, the values stay.
        const faults = await Promise.all([ownership?.fault(), ownership?.faultOfWrites()]).catch(() => null);
        if (faults === null) return;
        this.set({ fault: 'not_ours' }, faults.some((fault) => fault instanceof NotTheProjection) ? 1 : 0);
        this.set({ fault: 'being_filled' }, faults.some((fault) => fault instanceof BeingFilled) ? 1 : 0);
      },
    });
  }
}

const faultsIn = (state: ServerState): readonly (readonly [string, boolean])[] => {
  const unsafe = unsafeSettings(state);
  return [
    ['read_only', readOnlyFault(state) !== null],
    ...settings.map((setting) => [setting, unsafe.has(setting)] as const),
  ];
};
