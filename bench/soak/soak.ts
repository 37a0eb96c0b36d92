import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from '../bench.js';
import { trendsPath } from '../support/heavy-load.js';
import { batches, traffic } from '../support/traffic.js';
import { Connection, load as send, request } from '../support/load.js';
import { untilIdle, withService, type BenchedService } from '../support/service.js';
import { stateOf, Usage, type State } from './state.js';

/** Two hours by default, of which a quarter of an hour is one line of the table. */
const minutes = Number(process.env.BENCH_SOAK_MINUTES ?? 120);
const periods = 8;
const periodMs = (minutes * 60_000) / periods;
const busyShare = 0.7;
const calibrationMs = 5_000;
const eventsPerBatch = 20;
const connections = 4;
const historyEvents = 300_000;
/** The end of the day before: the index of events keeps apart whole days. */
const historyEnd = new Date(new Date().setUTCHours(0, 0, 0, -1));

/**
 * Mixed traffic at 70 % of the processors: nothing of the service may grow or become slower with time. The questions are
 * about the days before it, so that an answer that takes longer shows a slower service, not more events.
 * For the same reason the traffic comes from the same persons again and again.
 */
export const soak: Bench = { name: 'soak', run: () => withService(measure) };

/** The requests that the service got in one period. */
class Answers {
  readonly ms = { capture: [] as number[], question: [] as number[], write: [] as number[] };
  failures = 0;
}

type Kind = keyof Answers['ms'];

class Load {
  answers = new Answers();
  /** Events that were acknowledged since the service started. */
  events = historyEvents;
  private isOver = false;
  private readonly running: Promise<void>[] = [];

  private constructor(
    private readonly service: BenchedService,
    private readonly person: string,
    /** Requests a second, of all kinds. */
    private perSecond: number,
  ) {}

  static async start(service: BenchedService): Promise<Load> {
    await send(
      service.url,
      connections,
      batches(service.project_token, traffic(historyEvents, connections, historyEnd), 1_000),
    );
    await untilIdle(service);
    const load = new Load(service, await newPerson(service), 20);
    for (let at = 0; at < connections; at += 1) load.running.push(load.send(at));
    return load;
  }

  get rate(): number {
    return this.perSecond;
  }

  set rate(perSecond: number) {
    this.perSecond = Math.min(2_000, Math.max(1, perSecond));
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async send(at: number): Promise<void> {
    const connection = await Connection.open(this.service.url);
    const events = this.batches(at);
    let dueAt = performance.now();
    for (let n = 0; !this.isOver; n += 1) {
      dueAt = Math.max(performance.now() - 1_000, dueAt + (connections * 1_000) / this.perSecond);
      await sleep(Math.max(0, dueAt - performance.now()));
      const kind: Kind = n % 20 === 7 ? 'question' : n % 20 === 13 ? 'write' : 'capture';
      const bytes = kind === 'capture' ? events.next().value : this.other(kind, n);
      const begun = performance.now();
      const { status, body } = await connection.ask(bytes);
      this.answers.ms[kind].push(performance.now() - begun);
      if (status < 300 && kind === 'capture') this.events += eventsPerBatch;
      if (status < 300) continue;
      this.answers.failures += 1;
      if (this.answers.failures <= 3) console.error(`${status}: ${body.slice(0, 300)}`);
    }
    connection.close();
  }

  private *batches(at: number): Generator<Buffer, never> {
    const visits = traffic(20_000, at);
    for (let next = 0; ; next = (next + eventsPerBatch) % visits.length) {
      const timestamp = new Date().toISOString();
      const batch = visits
        .slice(next, next + eventsPerBatch)
        .map((event) => ({ ...event, uuid: randomUUID(), timestamp }));
      yield* batches(this.service.project_token, batch, eventsPerBatch);
    }
  }

  private other(kind: 'question' | 'write', n: number): Buffer {
    const { personal_api_key: key, project_id: id } = this.service;
    const headers = [`Authorization: Bearer ${key}`];
    const path = `/api/projects/${id}`;
    if (kind === 'write') {
      const change = JSON.stringify({ key: 'seen', value: n });
      return request('POST', `${path}/persons/${this.person}/update_property`, change, headers);
    }
    const until = historyEnd.toISOString().slice(0, 10);
    const questions = [
      trendsPath(id, { events: [{ id: '$pageview' }], date_from: '-30d', date_to: until }),
      `${path}/persons/retention?include=insight&date_to=${until}`,
      `${path}/persons?limit=20&search=a`,
      `${path}/persons/lifecycle?include=insight&date_to=${until}`,
    ];
    return request('GET', questions[Math.floor(n / 20) % questions.length] ?? '', '', headers);
  }
}

/** The id of a person that no other traffic merges. */
const newPerson = async ({ url, project_id: id, project_token: token, personal_api_key: key }: BenchedService) => {
  const distinctId = 'changed again and again';
  const event = { api_key: token, event: 'seen', distinct_id: distinctId, properties: { $set: { seen: 0 } } };
  await fetch(new URL('/capture', url), { method: 'POST', body: JSON.stringify(event) });
  const path = `/api/projects/${id}/persons?distinct_id=${encodeURIComponent(distinctId)}`;
  const answer = await fetch(new URL(path, url), { headers: { Authorization: `Bearer ${key}` } });
  const { results } = (await answer.json()) as { results: { uuid: string }[] };
  if (!results[0]) throw new Error('The person was not made');
  return results[0].uuid;
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  const load = await Load.start(service);
  const usage = new Usage();
  await usage.read();
  // The first period sets the rate, which stays the same afterwards.
  for (const until = performance.now() + periodMs; performance.now() < until;) {
    await sleep(calibrationMs);
    load.rate *= Math.min(2, Math.max(0.5, busyShare / (await usage.read())));
  }
  yield { figure: 'requests a second', value: rounded(load.rate, 1), unit: 'requests' };
  const lines: Line[] = [];
  for (let period = 2; period <= periods; period += 1) {
    load.answers = new Answers();
    await sleep(periodMs);
    const { ms, failures } = load.answers;
    const p99 = (kind: Kind) =>
      rounded(
        percentile(
          ms[kind].sort((a, b) => a - b),
          0.99,
        ),
        1,
      );
    const latest = { capture: p99('capture'), question: p99('question'), write: p99('write') };
    const state = await stateOf(service, load.events);
    lines.push({ ...latest, ...state });
    const of = `period ${period}:`;
    const { residentMiB, openFiles, connections: held, parts, deadRows, bytesPerEvent } = state;
    for (const kind of ['capture', 'question', 'write'] as const)
      yield { figure: `${of} p99 of ${kind}`, value: latest[kind], unit: 'ms' };
    yield {
      figure: `${of} requests`,
      value: ms.capture.length + ms.question.length + ms.write.length,
      unit: 'requests',
    };
    yield { figure: `${of} failures`, value: failures, unit: 'requests', atMost: 0 };
    yield { figure: `${of} processors busy`, value: rounded(await usage.read()), unit: 'share' };
    yield { figure: `${of} resident memory`, value: rounded(residentMiB, 0), unit: 'MiB' };
    yield { figure: `${of} open files`, value: openFiles, unit: 'files' };
    yield { figure: `${of} connections of PostgreSQL`, value: held, unit: 'connections' };
    yield { figure: `${of} parts of ClickHouse`, value: parts, unit: 'parts' };
    yield { figure: `${of} dead rows for each live one`, value: rounded(deadRows, 3), unit: 'ratio' };
    yield { figure: `${of} bytes of PostgreSQL for each event`, value: rounded(bytesPerEvent, 0), unit: 'bytes' };
  }
  await load.stop();
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return;
  for (const [name, key, atMost] of flatFigures)
    yield { figure: `${name}, last period ÷ second`, value: rounded(last[key] / first[key]), unit: 'ratio', atMost };
}

type Line = Record<Kind, number> & State;

/** Figures that may not grow, each with the allowed difference of a single period. */
const flatFigures: readonly (readonly [string, keyof Line, number])[] = [
  ['p99 of capture', 'capture', 1.5],
  ['p99 of question', 'question', 1.5],
  ['p99 of write', 'write', 1.5],
  ['resident memory', 'residentMiB', 1.25],
  ['open files', 'openFiles', 1.25],
  ['connections of PostgreSQL', 'connections', 1.5],
  ['bytes of PostgreSQL for each event', 'bytesPerEvent', 1.1],
];
