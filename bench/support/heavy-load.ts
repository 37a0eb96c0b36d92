import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { traffic } from './traffic.js';

/** The work of the heavy project, with the number of simultaneous runs. A part of it shows what costs. */
const parts = { question: 50, export: 2, upload: 2, capture: 1 };
type Part = keyof typeof parts;
const isPart = (name: string): name is Part => name in parts;
const chosen = (process.env.BENCH_LOAD ?? Object.keys(parts).join(',')).split(',').map((name) => {
  if (isPart(name)) return name;
  throw new Error(`BENCH_LOAD: ${name} is not one of ${Object.keys(parts).join(', ')}`);
});

export interface Caller {
  readonly url: string;
  readonly key: string;
}

export interface Tenant {
  readonly id: number;
  readonly token: string;
}

type HeavyProject = Caller & Tenant;

/** Answers by status. */
type Counts = Record<number, number>;

/** The load has a thread of its own, so that its work does not hold the measured questions. */
export const startHeavyLoad = (heavy: HeavyProject): { stop: () => Promise<Counts> } => {
  const worker = new Worker(new URL(import.meta.url), { workerData: heavy });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
        worker.postMessage('stop');
      }),
  };
};

export const ask = (
  { url, key }: Caller,
  path: string,
  init: RequestInit & { json?: unknown } = {},
): Promise<Response> => {
  const { json, ...rest } = init;
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  return fetch(new URL(path, url), {
    ...rest,
    headers,
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
  });
};

export const trendsPath = (project: number, { events, properties = [], ...more }: TrendsQuestion): string => {
  const lists = { events: JSON.stringify(events), properties: JSON.stringify(properties) };
  return `/api/projects/${project}/persons/trends?${new URLSearchParams({ ...more, ...lists, include: 'insight' }).toString()}`;
};

interface TrendsQuestion {
  readonly events: readonly object[];
  readonly properties?: readonly object[];
  readonly date_from: string;
  readonly date_to?: string;
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

const loadOf = async (heavy: HeavyProject, signal: AbortSignal, counts: Counts): Promise<void> => {
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
  const of = (path: string) => `/api/projects/${heavy.id}/${path}`;
  const question = () => {
    const [path, json] = heavyQuestion(heavy.id, (sent += 1));
    return ask(heavy, path, { json, signal });
  };
  const exported = () => ask(heavy, of('persons?format=csv'), { signal });
  const rows = Array.from({ length: 100_000 }, (_, n) => `user-${n}\n`).join('');
  const uploaded = () => {
    const form = new FormData();
    form.set('name', 'Uploaded');
    form.set('is_static', 'true');
    form.set('csv', new Blob(['distinct_id\n', rows]), 'persons.csv');
    return ask(heavy, of('cohorts'), { method: 'POST', body: form, signal });
  };
  const batch = JSON.stringify({ api_key: heavy.token, batch: traffic(500, 99).slice(0, 500) });
  const captured = async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(new URL('/batch/', heavy.url), { method: 'POST', body: batch, headers, signal });
    await sleep(500, undefined, { signal });
    return answer;
  };
  const works = { question, export: exported, upload: uploaded, capture: captured };
  await Promise.all(chosen.flatMap((part) => Array.from({ length: parts[part] }, () => again(works[part]))));
};

if (!isMainThread && parentPort) {
  const port = parentPort;
  const stop = new AbortController();
  port.once('message', () => stop.abort());
  const counts: Counts = {};
  await loadOf(workerData as HeavyProject, stop.signal, counts);
  port.postMessage(counts);
}
