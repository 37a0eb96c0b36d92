import { Histogram, type Registry } from 'prom-client';

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
