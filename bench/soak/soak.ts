import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from '../bench.js';
import { trendsPath } from '../support/heavy-load.js';
import { batches, traffic } from '../support/traffic.js';
import { Connection, request } from '../support/load.js';
import { withService, type BenchedService } from '../support/service.js';
import { stateOf, Usage } from './state.js';

/** Two hours by default, of which a quarter of an hour is one line of the table. */
const minutes = Number(process.env.BENCH_SOAK_MINUTES ?? 120);
const periods = 8;
const periodMs = (minutes * 60_000) / periods;
const busyShare = 0.7;
const calibrationMs = 5_000;
const eventsPerBatch = 20;
const connections = 4;

/** Mixed traffic at 70 % of the processors: nothing of the service may grow or become slower with time. */
export const soak: Bench = { name: 'soak', run: () => withService(measure) };

/** The requests that the service got in one period. */
class Answers {
  readonly ms = { capture: [] as number[], question: [] as number[], write: [] as number[] };
  failures = 0;
}

type Kind = keyof Answers['ms'];

class Load {
  answers = new Answers();
  private isOver = false;
  private readonly running: Promise<void>[] = [];

  private constructor(
    private readonly service: BenchedService,
    private readonly person: string,
    /** Requests a second, of all kinds. */
    private perSecond: number,
  ) {}

  static async start(service: BenchedService): Promise<Load> {
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
      if (status < 300) continue;
      this.answers.failures += 1;
      if (this.answers.failures <= 3) console.error(`${status}: ${body.slice(0, 300)}`);
    }
    connection.close();
  }

  private *batches(at: number): Generator<Buffer, never> {
    for (let part = at; ; part += connections)
      yield* batches(this.service.project_token, traffic(20_000, part), eventsPerBatch);
  }

  private other(kind: 'question' | 'write', n: number): Buffer {
    const { personal_api_key: key, project_id: id } = this.service;
    const headers = [`Authorization: Bearer ${key}`];
    const path = `/api/projects/${id}`;
    if (kind === 'write') {
      const change = JSON.stringify({ key: 'seen', value: n });
      return request('POST', `${path}/persons/${this.person}/update_property`, change, headers);
    }
    const questions = [
      trendsPath(id, { events: [{ id: '$pageview' }], date_from: '-30d' }),
      `${path}/persons/retention?include=insight`,
      `${path}/persons?limit=20&search=a`,
      `${path}/persons/lifecycle?include=insight`,
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
  const p99s: Record<Kind, number>[] = [];
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
    p99s.push(latest);
    const of = `period ${period}:`;
    const { residentMiB, openFiles, connections: held, parts, deadRows, bytesPerEvent } = await stateOf(service);
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
  const [first, last] = [p99s[0], p99s.at(-1)];
  if (!first || !last) return;
  for (const kind of ['capture', 'question', 'write'] as const)
    yield { figure: `p99 of ${kind}, last period ÷ second`, value: rounded(last[kind] / first[kind]), unit: 'ratio' };
}
