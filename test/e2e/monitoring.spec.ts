import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Metrics } from '../../src/platform/telemetry/metrics.js';
import { startTestService, type TestService } from '../support/service.js';

interface Rules {
  readonly groups: {
    readonly rules: { readonly alert: string; readonly expr: string; readonly annotations: object }[];
  }[];
}

interface Dashboard {
  readonly panels: {
    readonly title: string;
    readonly targets?: { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const file = (name: string): string => readFileSync(`docs/guides/monitoring/${name}`, 'utf8');
const alerts = (parse(file('alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules);
const panels = (JSON.parse(file('grafana.json')) as Dashboard).panels.filter(({ targets }) => targets);
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ of: alert, expr, legend: '' })),
  ...panels.flatMap(({ title, targets = [] }) =>
    // What Grafana replaces before it sends the question.
    targets.map(({ expr, legendFormat }) => ({
      of: title,
      expr: expr.replaceAll('$__rate_interval', '1m'),
      legend: legendFormat,
    })),
  ),
];

const nodesOf = (expr: string, ...names: string[]): string[] => {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${expr}`);
      if (names.includes(name)) found.push(expr.slice(from, to));
    },
  });
  return found;
};

let service: TestService;
let labelsOf: Map<string, readonly string[]>;

beforeAll(async () => {
  service = await startTestService();
  const metrics = service.app.get(Metrics).registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames?: string[];
  }[];
  // Prometheus itself writes `up`.
  labelsOf = new Map([['up', []], ...metrics.map(({ name, labelNames = [] }) => [name, labelNames] as const)]);
});
afterAll(() => service.stop());

/** A histogram is read by the names of its parts. */
const metricOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');
const labelsOfScraping = ['instance', 'job', 'le'];

describe('the alerts and the dashboard', () => {
  it.each(expressions)('$of: $expr reads metrics and labels that exist', ({ expr, legend }) => {
    const names = nodesOf(expr, 'Identifier');
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !labelsOf.has(metricOf(name)))).toEqual([]);
    const made = [...expr.matchAll(/label_replace\(.*?, "(\w+)", "\$\{1\}/g)].map(([, label]) => label);
    const known = [...names.flatMap((name) => labelsOf.get(metricOf(name)) ?? []), ...labelsOfScraping, ...made];
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
    const used = [...nodesOf(expr, 'LabelName'), ...shown];
    expect(used.filter((label) => !known.includes(label))).toEqual([]);
  });

  it('show every metric of the service', () => {
    const read = new Set(expressions.flatMap(({ expr }) => nodesOf(expr, 'Identifier').map(metricOf)));
    expect([...labelsOf.keys()].filter((name) => name.startsWith('kohort_') && !read.has(name))).toEqual([]);
  });

  it('have a name each, and every alert says what to do', () => {
    const titles = [...alerts.map(({ alert }) => alert), ...panels.map(({ title }) => title)];
    expect(titles).toEqual([...new Set(titles)]);
    for (const { annotations } of alerts) expect(annotations).toEqual({ summary: expect.stringMatching(/\.$/) });
  });
});
