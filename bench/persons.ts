import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { Connection, load, request } from './support/load.js';
import { makePersons } from './support/persons.js';
import { searchFigures } from './support/search-figures.js';
import { withService, type BenchedService } from './support/service.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const rounds = 3;
const requestsPerRound = 5000;
const connections = 16;
const pageSize = 100;
const samples = 300;

/** One person beside the least the server can do, pages of a long list, and searches. */
export const persons: Bench = {
  name: 'persons',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await makePersons(service, personCount);
  yield* single(service);
  yield* pages(service, 'first page', `limit=${pageSize}`);
  yield* pages(service, '5,000th page by cursor', new URL(await nextOf(service, personCount / 2)).search.slice(1));
  yield* pages(service, '5,000th page by offset', `limit=${pageSize}&offset=${personCount / 2}`, null);
  yield* searchFigures(service, personCount);
}

async function* single(service: BenchedService): AsyncGenerator<Figure> {
  const { rows } = await service.database.query<{ id: string }>('SELECT id FROM persons ORDER BY id LIMIT 100000');
  const get = (n: number) => ask(service, `/${rows[(n * 7919) % rows.length]?.id}`);
  const alive = request('GET', '/_livez');
  const run = async (of: (n: number) => Buffer) =>
    (
      await load(
        service.url,
        connections,
        Array.from({ length: requestsPerRound }, (_, n) => of(n)),
      )
    ).seconds;
  await run(() => alive);
  await run(get);
  const seconds = { alive: 0, person: 0 };
  for (let round = 0; round < rounds; round += 1) {
    seconds.alive += await run(() => alive);
    seconds.person += await run(get);
  }
  const requests = rounds * requestsPerRound;
  yield { figure: 'one person', value: rounded(requests / seconds.person, 0), unit: 'requests/s' };
  yield { figure: '/_livez', value: rounded(requests / seconds.alive, 0), unit: 'requests/s' };
  yield { figure: 'one person ÷ /_livez', value: rounded(seconds.alive / seconds.person), unit: 'ratio', atLeast: 0.5 };
}

async function* pages(
  service: BenchedService,
  which: string,
  search: string,
  atMost: number | null = 25,
): AsyncGenerator<Figure> {
  const connection = await Connection.open(service.url);
  const times: number[] = [];
  for (let n = 0; n < samples + 20; n += 1) {
    const started = performance.now();
    const { status, body } = await connection.ask(ask(service, `?${search}`));
    if (n >= 20) times.push(performance.now() - started);
    const { count, results } = JSON.parse(body) as { count: number; results: unknown[] };
    if (status !== 200 || count !== personCount || results.length !== pageSize) throw new Error(body.slice(0, 500));
  }
  connection.close();
  times.sort((a, b) => a - b);
  yield { figure: `${which}, median`, value: rounded(percentile(times, 0.5)), unit: 'ms' };
  const p99 = rounded(percentile(times, 0.99));
  yield { figure: `${which}, p99`, value: p99, unit: 'ms', ...(atMost === null ? {} : { atMost }) };
}

/** The link to the page that begins there. */
const nextOf = async (service: BenchedService, offset: number): Promise<string> => {
  const connection = await Connection.open(service.url);
  const { body } = await connection.ask(ask(service, `?limit=${pageSize}&offset=${offset - pageSize}`));
  connection.close();
  return (JSON.parse(body) as { next: string }).next;
};

const ask = ({ project_id, personal_api_key }: BenchedService, rest: string): Buffer =>
  request('GET', `/api/projects/${project_id}/persons${rest}`, '', [`Authorization: Bearer ${personal_api_key}`]);
