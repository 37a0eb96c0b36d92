import { rounded, type Bench, type Figure } from './bench.js';
import { load } from './support/load.js';
import { MemoryGroup } from '../test/support/memory-group.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { headersOf } from './support/shop.js';
import { batches, traffic } from './support/traffic.js';

const budget = Number(process.env.BENCH_BUDGET_MB ?? 768);
const events = Number(process.env.BENCH_EVENTS ?? 300_000);
const rounds = 3;

/**
 * As in a container: everything in a control group that has no more than MEMORY_BUDGET_MB, which bounds the heap of JavaScript, too. The
 * kernel would kill what takes more. Linux, as root.
 */
export const memory: Bench = {
  name: 'memory',
  async *run(): AsyncGenerator<Figure> {
    const group = MemoryGroup.withMiB(budget);
    const env = { MEMORY_BUDGET_MB: String(budget) };
    try {
      yield* withService((service) => measure(service, group), { env, starter: group.starter });
    } finally {
      group.remove();
    }
  },
};

async function* measure(service: BenchedService, group: MemoryGroup): AsyncGenerator<Figure> {
  const peaks = new Peaks(group);
  let refused = 0;
  const phases: Record<string, () => Promise<void>> = {
    ingest: () => ingest(service),
    import: () => importLines(service),
    questions: () => questions(service),
    'questions that need too much': async () => {
      refused = await tooMuch(service);
    },
    'a cohort, and exports': () => cohortAndExports(service),
  };
  for (const [name, phase] of Object.entries(phases)) {
    const begun = performance.now();
    const peak = await peaks.during(phase);
    yield { figure: `${name}: memory at most`, value: rounded(peak, 0), unit: 'MiB', atMost: budget };
    yield { figure: `${name}: time`, value: rounded((performance.now() - begun) / 1000, 1), unit: 's' };
  }
  yield { figure: 'questions that were refused', value: refused, unit: 'questions', atLeast: 1 };
}

class Peaks {
  constructor(private readonly group: MemoryGroup) {}

  async during(work: () => Promise<void>): Promise<number> {
    let peak = this.group.usedMiB;
    const timer = setInterval(() => (peak = Math.max(peak, this.group.usedMiB)), 50);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return peak;
  }
}

const ingest = async (service: BenchedService): Promise<void> => {
  for (let round = 0; round < rounds; round += 1)
    await load(service.url, 8, batches(service.project_token, traffic(events / rounds, round), 1000));
  await untilIdle(service);
};

const importLines = async (service: BenchedService): Promise<void> => {
  const lines = traffic(events / rounds, rounds).map(({ uuid, event, distinct_id, timestamp, properties }) =>
    JSON.stringify({ type: 'event', uuid, event, distinct_id, timestamp, properties }),
  );
  const answer = await ask(service, 'import', { body: lines.join('\n'), type: 'application/x-ndjson' });
  if (!answer.includes('"rejected":0') && !answer.includes('"rejected":[]')) throw new Error(answer.slice(-500));
  await untilIdle(service);
};

const pageview = encodeURIComponent(JSON.stringify([{ id: '$pageview' }]));
const insights = [
  `trends?events=${pageview}`,
  `trends?events=${pageview}&breakdown=$browser`,
  'retention',
  'path',
  `lifecycle?events=${pageview}`,
  `stickiness?events=${pageview}`,
];

const questions = async (service: BenchedService): Promise<void> => {
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(insights.map((path) => ask(service, `persons/${path}`)));
};

/** Each alone needs more than one question may have, or all of them together more than the engine has. */
const costly = [
  'select a.uuid, count() from events a cross join (select uuid from events limit 200) b group by a.uuid order by 2 limit 5',
  'select toString(properties), count(), groupArray(uuid) from events group by 1 order by 2 desc limit 3',
  'select distinct_id, groupArray(toString(properties)) g from events group by 1 order by length(g) desc limit 2',
  'select uniqExact(concat(toString(e.uuid), toString(n.uuid))) from events e cross join (select uuid from events limit 40) n',
];

/** Returns how many were refused. */
const tooMuch = async (service: BenchedService): Promise<number> => {
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(
      costly.map((query) => ask(service, 'query', { body: JSON.stringify({ query }), mayFail: true })),
    );
    refused += answers.filter((answer) => /"code":"(?:too_expensive|unavailable)"/.test(answer)).length;
  }
  return refused;
};

const cohortAndExports = async (service: BenchedService): Promise<void> => {
  const properties = { type: 'AND', values: [{ key: 'none', type: 'person', operator: 'is_not_set', value: '' }] };
  await ask(service, 'cohorts?wait=60', { body: JSON.stringify({ name: 'All', filters: { properties } }) });
  // A project has two at a time.
  await Promise.all(['export/persons', 'export/events'].map((path) => ask(service, path)));
  await ask(service, 'persons?format=csv');
};

const ask = async (
  service: BenchedService,
  path: string,
  { body, type = 'application/json', mayFail = false }: { body?: string; type?: string; mayFail?: boolean } = {},
): Promise<string> => {
  const answer = await fetch(new URL(`/api/projects/${service.project_id}/${path}`, service.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headersOf(service), 'Content-Type': type },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const mayBe = mayFail ? [400, 503] : [];
  if (!answer.ok && !mayBe.includes(answer.status)) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
};
