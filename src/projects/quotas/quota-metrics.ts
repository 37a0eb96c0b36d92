import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { quotaNames } from '../../kernel/projects/quotas.js';
import { QuotasService } from './quotas.service.js';
import { type UsageRow } from './usage.sql.js';

/** At most this many projects have a series in the metrics. */
const namedProjects = 100;

/** Returns the used share of a quota. A quota of 0 counts as used up. */
const ratioOf = (used: number, limit: number): number => (limit === 0 ? 1 : used / limit);

/**
 * Reads the used shares of quotas when metrics are collected. Projects are named only if metrics have a port of their own: on the
 * port of the API, everyone can read them. The gauge keeps its last values while PostgreSQL is unavailable.
 */
@Injectable()
export class QuotaMetrics {
  constructor(config: Config, { registry }: Metrics, quotas: QuotasService) {
    const hasOwnPort = config.metricsPort !== null;
    const gauge: Gauge<'project' | 'quota'> = new Gauge({
      name: 'kohort_quota_used_ratio',
      help:
        'The share of a quota that a project has used: ' +
        (hasOwnPort
          ? `of the first ${namedProjects} projects with quotas`
          : 'the largest of all projects; with METRICS_PORT for each project'),
      labelNames: ['project', 'quota'] as const,
      registers: [registry],
      collect: async () => {
        const usages = await quotas.all(namedProjects, new Date()).catch(() => null);
        if (usages === null) return;
        gauge.reset();
        for (const [labels, ratio] of ratiosOf(usages, hasOwnPort)) gauge.set(labels, ratio);
      },
    });
  }
}

type Labels = Readonly<Record<'project' | 'quota', string>>;

const ratiosOf = (usages: readonly UsageRow[], byProject: boolean): [Labels, number][] =>
  quotaNames.flatMap((quota) => {
    const ratios = usages.flatMap(({ id, quotas, used }): [Labels, number][] => {
      const limit = quotas[quota];
      return limit === null ? [] : [[{ project: String(id), quota }, ratioOf(used[quota], limit)]];
    });
    if (byProject || ratios.length === 0) return ratios;
    return [[{ project: 'all', quota }, Math.max(...ratios.map(([, ratio]) => ratio))]];
  });
