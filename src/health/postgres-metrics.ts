import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../common/metrics/metrics.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { readOnlyFault, serverState, unsafeSettings, type ServerState } from '../stores/postgres/server-state.js';

const timeoutMs = 1500;
const settings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

@Injectable()
export class PostgresMetrics {
  constructor({ registry }: Metrics, { pool }: Postgres) {
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
  }
}

const faultsIn = (state: ServerState): readonly (readonly [string, boolean])[] => {
  const unsafe = unsafeSettings(state);
  return [
    ['read_only', readOnlyFault(state) !== null],
    ...settings.map((setting) => [setting, unsafe.has(setting)] as const),
  ];
};
