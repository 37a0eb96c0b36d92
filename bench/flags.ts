import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { makeMembers } from './support/cohorts.js';
import { Connection, request } from './support/load.js';
import { makePersons } from './support/persons.js';
import { withService, type BenchedService } from './support/service.js';
import { keepBusy } from './support/traffic.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const flagCount = 20;
const requestsPerSecond = 1000;
const eventsPerSecond = 500;
const seconds = 20;
const warmUpSeconds = 10;
const connections = 64;

/** All flags of a project, decided for one person after the other at a fixed rate: on a quiet service, and beside ingestion. */
export const flags: Bench = {
  name: 'flags',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await makePersons(service, personCount);
  await makeFlags(service, await makeMembers(service, flagCount / 4));
  await paced(service, warmUpSeconds);
  yield* figures('quiet', await paced(service, seconds));
  const stop = new AbortController();
  const background = keepBusy(service, eventsPerSecond, stop.signal);
  try {
    yield* figures(`beside ${eventsPerSecond} events/s`, await paced(service, seconds));
  } finally {
    stop.abort();
    await background;
  }
}

function* figures(when: string, sorted: readonly number[]): Generator<Figure> {
  const figure = `${flagCount} flags at ${requestsPerSecond} requests/s, ${when}`;
  yield { figure: `${figure}, median`, value: rounded(percentile(sorted, 0.5)), unit: 'ms' };
  yield { figure: `${figure}, p99`, value: rounded(percentile(sorted, 0.99)), unit: 'ms', atMost: 5 };
}

/** A quarter each by cohort, by property of the person, by percentage with variants, and for everyone. */
const conditionOf = (n: number, cohorts: readonly number[]): object => {
  const cohort = { type: 'cohort', key: 'id', value: cohorts[n % cohorts.length] };
  const property = { type: 'person', key: 'plan', value: 'pro', operator: 'exact' };
  return [
    { properties: [cohort], rollout_percentage: 100 },
    { properties: [property], rollout_percentage: 50 },
    { properties: [], rollout_percentage: 30 },
    { properties: [], rollout_percentage: 100 },
  ][n % 4] as object;
};

const makeFlags = async (
  { url, project_id, personal_api_key }: BenchedService,
  cohorts: readonly number[],
): Promise<void> => {
  for (let n = 0; n < flagCount; n += 1) {
    const variants = ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 }));
    const filters = { groups: [conditionOf(n, cohorts)], ...(n % 4 === 2 && { multivariate: { variants } }) };
    const made = await fetch(new URL(`/api/projects/${project_id}/feature_flags`, url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${personal_api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: `flag-${n}`, filters, active: true }),
    });
    if (made.status !== 201) throw new Error(`The service answered ${made.status}: ${await made.text()}`);
  }
};

/** Returns how long each request took, from the moment at which it was due, sorted. */
const paced = async ({ url, project_token }: BenchedService, forSeconds: number): Promise<number[]> => {
  const idle = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const all = [...idle];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < forSeconds * requestsPerSecond; n += 1) {
    const due = started + (n * 1000) / requestsPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    while (idle.length === 0) await sleep(1);
    const connection = idle.shift() as Connection;
    const body = JSON.stringify({ token: project_token, distinct_id: `user-${1 + ((n * 7919) % personCount)}` });
    const ask = async (): Promise<void> => {
      const { status, body: answer } = await connection.ask(request('POST', '/flags?v=2', body));
      if (status !== 200) throw new Error(`The service answered ${status}: ${answer.slice(0, 500)}`);
      times.push(performance.now() - due);
      idle.push(connection);
    };
    running.push(ask());
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
  return times.sort((a, b) => a - b);
};
