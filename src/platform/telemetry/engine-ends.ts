import { Counter, type Registry } from 'prom-client';

interface EngineEnd {
  readonly project: string;
  /** The text with placeholders in place of values. */
  readonly statement: string;
}

const counter = new Counter({
  name: 'kohort_clickhouse_engine_ends_total',
  help: 'How often the process of the embedded ClickHouse was ended, because this statement of this project could not be stopped at its limit',
  labelNames: ['project', 'statement'] as const,
  registers: [],
});

/** Counted per process and not per service, as the engine is. */
export const countEngineEnd = (end: EngineEnd): void => counter.inc({ ...end, statement: end.statement.slice(0, 200) });

export const registerEngineEnds = (registry: Registry): void => registry.registerMetric(counter);
