import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Cost, type Costs } from '../../platform/clickhouse/costs.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { BackgroundMetrics } from './background-metrics.js';
import { BackgroundWork } from './background-work.js';
import { BackgroundWorkController } from './background-work.controller.js';
import { StoreMetrics } from './store-metrics.js';
import { HomeController } from './home.controller.js';
import { MetricsController } from './metrics.controller.js';

/** The projects that have series of their own. Further ones are counted together, so that the number of series is bounded. */
const namedProjects = 100;

const counters: Readonly<Record<string, readonly [help: string, of: (cost: Cost) => number]>> = {
  kohort_clickhouse_statements_total: ['Statements that ended in ClickHouse', ({ statements }) => statements],
  kohort_clickhouse_cpu_seconds_total: [
    'Seconds that statements kept a processor of ClickHouse busy. One that ended within a second counts its time',
    ({ cpuMs }) => cpuMs / 1000,
  ],
  kohort_clickhouse_read_rows_total: ['Rows that statements read in ClickHouse', ({ readRows }) => readRows],
  kohort_clickhouse_read_bytes_total: ['Bytes that statements read in ClickHouse', ({ readBytes }) => readBytes],
};

/**
 * Counts which projects use ClickHouse, and for what, in this process. The first projects have series of their own, but only
 * where metrics have their own port: on the port of the API everyone can read them.
 */
@Injectable()
class CostMetrics {
  constructor(config: Config, { registry }: Metrics, { costs }: ClickHouse) {
    const hasOwnPort = config.metricsPort !== null;
    const projects = hasOwnPort
      ? `projects after the first ${namedProjects} are "other"`
      : 'with METRICS_PORT they are counted by project';
    for (const [name, [help, of]] of Object.entries(counters)) {
      const counter: Counter<'project' | 'work'> = new Counter({
        name,
        help: `${help}; ${projects}`,
        labelNames: ['project', 'work'] as const,
        registers: [registry],
        collect: () => {
          counter.reset();
          for (const [project, work, cost] of labelled(costs, hasOwnPort)) counter.inc({ project, work }, of(cost));
        },
      });
    }
  }
}

/** The work of the service itself (`system`) has a series of its own, with METRICS_PORT or without. */
const labelled = ({ byOwner }: Costs, hasOwnPort: boolean): [project: string, work: string, cost: Cost][] => {
  let rank = 0;
  return [...byOwner].flatMap(([owner, works]) => {
    if (owner !== 'system') rank += 1;
    const isNamed = owner === 'system' || (hasOwnPort && rank <= namedProjects);
    const project = isNamed ? String(owner) : hasOwnPort ? 'other' : 'all';
    return [...works].map(([work, cost]): [string, string, Cost] => [project, work, cost]);
  });
};

@Module({})
export class HealthModule {
  static forRoot({ metricsPort }: Pick<Config, 'metricsPort'>): DynamicModule {
    return {
      module: HealthModule,
      controllers: [
        HomeController,
        HealthController,
        BackgroundWorkController,
        ...(metricsPort === null ? [MetricsController] : []),
      ],
      providers: [BackgroundMetrics, BackgroundWork, CostMetrics, HealthService, StoreMetrics],
    };
  }
}
