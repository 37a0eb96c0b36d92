import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, traffic } from './support/traffic.js';
import { load } from './support/load.js';

/** Fewer for a first look. */
const events = Number(process.env.BENCH_EVENTS ?? 400_000);
const eventsOfOther = 20_000;
const batchSize = 1_000;
const quietRounds = 300;
const loadedMs = 60_000;
/** What the heavy project does, and how often at the same time. A part of it shows what costs. */
const parts = { question: 50, export: 2, upload: 2, capture: 1 };
type Part = keyof typeof parts;
const isPart = (name: string): name is Part => name in parts;
const chosen = (process.env.BENCH_LOAD ?? Object.keys(parts).join(',')).split(',').map((name) => {
  if (isPart(name)) return name;
  throw new Error(`BENCH_LOAD: ${name} is not one of ${Object.keys(parts).join(', ')}`);
});
const warmUpMs = 15_000;

/** What one project's small question takes while another project asks, exports, uploads and captures as much as it can. */
export const fairness: Bench = { name: 'fairness', run: () => withService(measure) };

interface Tenant {
  readonly id: number;
  readonly token: string;
}

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  const heavy: Tenant = { id: service.project_id, token: service.project_token };
  const light = await newProject(service);
  await fill(service, heavy, events);
  await fill(service, light, eventsOfOther);
  await untilIdle(service);

  for (let round = 0; round < 30; round += 1) await askSmall(service, light);
  const quiet: number[] = [];
  let disturbed = 0;
  for (let round = 0; quiet.length < quietRounds && round < 5 * quietRounds; round += 1) {
    const { status, ms, body, isDisturbed } = await undisturbed(() => askSmall(service, light));
    if (status !== 200) throw new Error(`The quiet service answered ${status}: ${body}`);
    if (isDisturbed) disturbed += 1;
    else quiet.push(ms);
  }

  const stop = new AbortController();
  const counted: Counts = {};
  const running = loadOf(service, heavy, stop.signal, counted);
  await sleep(warmUpMs);
  const loaded: number[] = [];
  const allLoaded: number[] = [];
  let failures = 0;
  for (const started = performance.now(); performance.now() - started < loadedMs;) {
    const { status, ms, body, isDisturbed } = await undisturbed(() => askSmall(service, light));
    if (isDisturbed) disturbed += 1;
    else if (status === 200) loaded.push(ms);
    if (status === 200) {
      allLoaded.push(ms);
      continue;
    }
    failures += 1;
    if (failures <= 3) console.error(`${status} after ${Math.round(ms)} ms: ${body}`);
  }
  stop.abort();
  await running;

  if (quiet.length === 0 || loaded.length === 0) throw new Error('No question was undisturbed: nothing was measured');
  const sorted = { quiet: [...quiet].sort((a, b) => a - b), loaded: [...loaded].sort((a, b) => a - b) };
  const p = (times: readonly number[], share: number) => rounded(percentile(times, share), 1);
  yield { figure: 'quiet p50', value: p(sorted.quiet, 0.5), unit: 'ms' };
  yield { figure: 'quiet p99', value: p(sorted.quiet, 0.99), unit: 'ms' };
  yield { figure: 'beside the other p50', value: p(sorted.loaded, 0.5), unit: 'ms' };
  yield { figure: 'beside the other p99', value: p(sorted.loaded, 0.99), unit: 'ms' };
  allLoaded.sort((a, b) => a - b);
  yield { figure: 'beside the other p99, disturbed ones too', value: p(allLoaded, 0.99), unit: 'ms' };
  const ratio = rounded(percentile(sorted.loaded, 0.99) / percentile(sorted.quiet, 0.99));
  yield { figure: 'p99 beside the other ÷ quiet', value: ratio, unit: 'ratio', atMost: 2 };
  yield { figure: 'questions answered beside the other', value: loaded.length, unit: 'questions' };
  yield { figure: 'questions left out because the host took processors away', value: disturbed, unit: 'questions' };
  yield { figure: 'questions that failed', value: failures, unit: 'questions', atMost: 0 };
  for (const [status, value] of Object.entries(counted))
    yield { figure: `answers ${status} to the other`, value, unit: 'requests' };
}

/** A virtual machine's processors may be taken away for seconds: such a time says nothing about the service. */
const undisturbed = async <T extends object>(work: () => Promise<T>): Promise<T & { isDisturbed: boolean }> => {
  const before = stolenTicks();
  const done = await work();
  return { ...done, isDisturbed: stolenTicks() > before };
};

const stolenTicks = (): number => {
  try {
    return Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Answers by status. */
type Counts = Record<number, number>;

const ask = (service: BenchedService, path: string, init: RequestInit & { json?: unknown } = {}): Promise<Response> => {
  const { json, ...rest } = init;
  const headers: Record<string, string> = { Authorization: `Bearer ${service.personal_api_key}` };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  return fetch(new URL(path, service.url), {
    ...rest,
    headers,
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
  });
};

const newProject = async (service: BenchedService): Promise<Tenant> => {
  const answer = await ask(service, '/api/projects', { json: { name: 'Other' } });
  if (answer.status !== 201) throw new Error(`No second project: ${answer.status} ${await answer.text()}`);
  const { id, api_token: token } = (await answer.json()) as { id: number; api_token: string };
  return { id, token };
};

const fill = async (service: BenchedService, { token }: Tenant, count: number): Promise<void> => {
  const step = 50_000;
  for (let part = 0; part * step < count; part += 1)
    await load(service.url, 4, batches(token, traffic(Math.min(step, count), part), batchSize));
};

const askSmall = async (
  service: BenchedService,
  { id }: Tenant,
): Promise<{ status: number; ms: number; body: string }> => {
  const started = performance.now();
  const answer = await ask(service, trendsPath(id, { events: [{ id: '$pageview' }], date_from: '-30d' }));
  const body = await answer.text();
  return { status: answer.status, ms: performance.now() - started, body };
};

const trendsPath = (project: number, { events, properties = [], ...more }: TrendsQuestion): string => {
  const lists = { events: JSON.stringify(events), properties: JSON.stringify(properties) };
  return `/api/projects/${project}/persons/trends?${new URLSearchParams({ ...more, ...lists, include: 'insight' }).toString()}`;
};

interface TrendsQuestion {
  readonly events: readonly object[];
  readonly properties?: readonly object[];
  readonly date_from: string;
  readonly interval?: string;
  readonly breakdown?: string;
}

/** Each differs from the others, so that no two are answered together. */
const heavyQuestion = (project: number, n: number): readonly [string, object?] => {
  const entity = (id: string) => ({ id, name: `${id} ${n}` });
  const noise = { properties: [{ key: '$browser', operator: 'is_not', value: `none-${n}` }] };
  const common = { date_from: 'all', include: 'insight', ...noise };
  const path = (kind: string) => `/api/projects/${project}/persons/${kind}`;
  switch (n % 3) {
    case 0: {
      const local_path_cleaning_filters = Array.from({ length: 30 }, () => ({ regex: '(.)', alias: '\\1\\1' }));
      return [path('path'), { ...common, local_path_cleaning_filters }];
    }
    case 1:
      return [path('funnel'), { ...common, events: ['$pageview', '$pageview', '$pageview'].map(entity) }];
    default: {
      const breakdown = { interval: 'hour', breakdown: '$current_url' };
      return [trendsPath(project, { events: [entity('$pageview')], date_from: 'all', ...noise, ...breakdown })];
    }
  }
};

const loadOf = async (service: BenchedService, tenant: Tenant, signal: AbortSignal, counts: Counts): Promise<void> => {
  let sent = 0;
  const again = async (work: () => Promise<Response>): Promise<void> => {
    while (!signal.aborted) {
      const answer = await work().catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      const status = answer?.status ?? 503;
      counts[status] = (counts[status] ?? 0) + 1;
      // A client that is refused comes again a little later.
      if (status >= 400) await sleep(200);
    }
  };
  const of = (path: string) => `/api/projects/${tenant.id}/${path}`;
  const question = () => {
    const [path, json] = heavyQuestion(tenant.id, (sent += 1));
    return ask(service, path, { json, signal });
  };
  const exported = () => ask(service, of('persons?format=csv'), { signal });
  const rows = Array.from({ length: 100_000 }, (_, n) => `user-${n}\n`).join('');
  const uploaded = () => {
    const form = new FormData();
    form.set('name', 'Uploaded');
    form.set('is_static', 'true');
    form.set('csv', new Blob(['distinct_id\n', rows]), 'persons.csv');
    return ask(service, of('cohorts'), { method: 'POST', body: form, signal });
  };
  const batch = JSON.stringify({ api_key: tenant.token, batch: traffic(500, 99).slice(0, 500) });
  const captured = async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(new URL('/batch/', service.url), { method: 'POST', body: batch, headers, signal });
    await sleep(500, undefined, { signal });
    return answer;
  };
  const works = { question, export: exported, upload: uploaded, capture: captured };
  await Promise.all(chosen.flatMap((part) => Array.from({ length: parts[part] }, () => again(works[part]))));
};
