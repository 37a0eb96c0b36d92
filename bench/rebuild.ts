import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Rebuild } from '../src/kernel/projection/rebuild/rebuilds.repository.js';
import { rebuildProjection } from '../src/kernel/projection/rebuild/follow.js';
import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { Connection, load, request } from './support/load.js';
import { multiply } from './support/multiply.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, traffic } from './support/traffic.js';

/** `npm run bench -- rebuild 500000` for less. */
const wantedEvents = Number(process.argv[3] ?? 5_000_000);
const sentEvents = 50_000;
const sampleMs = 250;
const askMs = 20;

/** All of the log into new tables, while the service takes in events and answers questions. */
export const rebuild: Bench = {
  name: 'rebuild',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await load(service.url, 8, batches(service.project_token, traffic(sentEvents, 0), 500));
  await untilIdle(service);
  await multiply(service.database, service.project_id, Math.max(1, Math.round(wantedEvents / sentEvents)));
  yield* latencies('before', await ask(service, sleep(10_000)));

  const memory = new Memory(service.pid);
  const before = await memory.now();
  const started = performance.now();
  const done = rebuilt(service);
  const watching = memory.watch(done);
  const answered = await ask(service, done);
  const { eventsDone, personsDone } = await done;
  const seconds = (performance.now() - started) / 1000;
  const samples = await watching;

  yield { figure: 'events rebuilt', value: eventsDone, unit: 'events' };
  yield { figure: 'persons rebuilt', value: personsDone, unit: 'persons' };
  yield { figure: 'speed', value: rounded(eventsDone / seconds, 0), unit: 'events/s' };
  yield { figure: 'resident memory before', value: before, unit: 'MB' };
  for (const part of [1, 2, 3, 4]) {
    const quarter = samples.slice(((part - 1) * samples.length) / 4, (part * samples.length) / 4);
    yield { figure: `resident memory, most in quarter ${part}`, value: Math.max(...quarter), unit: 'MB' };
  }
  yield* latencies('meanwhile', answered);
  await holdsEverything(service);
}

function* latencies(when: string, sorted: readonly number[]): Generator<Figure> {
  yield { figure: `requests answered ${when}`, value: sorted.length, unit: 'requests' };
  yield { figure: `answered ${when}, median`, value: rounded(percentile(sorted, 0.5), 1), unit: 'ms' };
  yield { figure: `answered ${when}, p99`, value: rounded(percentile(sorted, 0.99), 1), unit: 'ms' };
}

/** QueryInput for as the command line does, done by the service. */
const rebuilt = async ({ database }: BenchedService): Promise<Rebuild> => {
  const { host, port, user, password, database: name } = database;
  const pool = new pg.Pool({ host, port, user, password: password ?? '', database: name, max: 1 });
  try {
    return await rebuildProjection(pool, new Date());
  } finally {
    await pool.end();
  }
};

/** Events in and, of the newest, out again, one request after the other until then. Sorted times. */
const ask = async (service: BenchedService, until: Promise<unknown>): Promise<number[]> => {
  const { url, project_id, project_token, personal_api_key } = service;
  const header = `Authorization: Bearer ${personal_api_key}`;
  const connection = await Connection.open(url);
  const times: number[] = [];
  let ended = false;
  void until.finally(() => (ended = true)).catch(() => undefined);
  for (let at = 0; !ended; at += 1) {
    const body = JSON.stringify({ api_key: project_token, event: 'question', distinct_id: `asker ${at % 10}` });
    const question = `/api/projects/${project_id}/events?limit=10&event=question`;
    const next = at % 2 === 0 ? request('POST', '/capture/', body) : request('GET', question, '', [header]);
    const sent = performance.now();
    const answer = await connection.ask(next);
    if (answer.status !== 200) throw new Error(`The service answered ${answer.status}: ${answer.body.slice(0, 500)}`);
    times.push(performance.now() - sent);
    await sleep(askMs);
  }
  connection.close();
  return times.sort((a, b) => a - b);
};

/** A rebuild that forgets something is no rebuild. */
const holdsEverything = async (service: BenchedService): Promise<void> => {
  const { database, url, project_id, personal_api_key } = service;
  const { rows } = await database.query<{ count: string }>('SELECT count(*) FROM events');
  const names = new URL(`/api/projects/${project_id}/events/names?limit=100`, url);
  const answer = await fetch(names, { headers: { Authorization: `Bearer ${personal_api_key}` } });
  const { results } = (await answer.json()) as { results: { count: number }[] };
  const projected = results.reduce((sum, { count }) => sum + count, 0);
  if (projected !== Number(rows[0]?.count)) {
    throw new Error(`The log holds ${rows[0]?.count} events, the rebuilt projection ${projected}`);
  }
};

/** Of the service's process, in which the embedded ClickHouse is. */
class Memory {
  constructor(private readonly pid: number) {}

  async now(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return rounded(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024, 0);
  }

  async watch(until: Promise<unknown>): Promise<number[]> {
    const samples = [await this.now()];
    let ended = false;
    void until.finally(() => (ended = true)).catch(() => undefined);
    for (; !ended; await sleep(sampleMs)) samples.push(await this.now());
    return samples;
  }
}
