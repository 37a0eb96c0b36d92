import { crc32, deflateSync } from 'node:zlib';
import { type SeedEvent } from '../src/app/demo/seed-events.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { load, request } from './support/load.js';
import { programs, spentDuring, sumOf, type Program, type Spent } from './support/processor-time.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { headersOf } from './support/shop.js';
import { batches, traffic } from './support/traffic.js';

const rounds = 5;
const eventsPerRound = 20_000;
const eventsPerRequest = 500;
const connections = 8;
const timesAsked = 15;

/**
 * What an event and two questions cost in processor time, as a multiple of what fixed work costs in the same minute: that
 * multiple hardly depends on the machine and on its load, so that a release can be compared with the one before.
 */
export const processor: Bench = {
  name: 'processor',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  const ingesting = async (first: number, change: (events: readonly SeedEvent[]) => readonly SeedEvent[]) => {
    await ingest(service, change(traffic(eventsPerRound, first)));
    return ratios(async (round) => {
      const events = change(traffic(eventsPerRound, first + round));
      return { spent: await spentDuring(service, () => ingest(service, events)), of: eventsPerRound / 1000 };
    });
  };
  const ingested = await ingesting(0, (events) => events);
  yield* figures('1,000 events', ingested);
  const ofGroups = await ingesting(rounds + 1, withTwoGroups);
  yield* figures('1,000 events of two groups', ofGroups);
  const ratio = rounded(least(ofGroups.relative) / least(ingested.relative), 3);
  yield { figure: '1,000 events of two groups ÷ of none', value: ratio, unit: 'ratio', atMost: 1.1 };
  for (const [name, path] of Object.entries(questions)) {
    await ask(service, path, 5);
    const asked = await ratios(async () => ({
      spent: await spentDuring(service, () => ask(service, path, timesAsked)),
      of: timesAsked,
    }));
    yield* figures(name, asked);
  }
}

type Ratios = Awaited<ReturnType<typeof ratios>>;

function* figures(of: string, { all, by, relative }: Ratios): Generator<Figure> {
  for (const program of programs)
    yield { figure: `${of}, ${program}`, value: rounded(least(by(program)), 1), unit: 'ms' };
  yield { figure: `${of}, all`, value: rounded(least(all), 1), unit: 'ms' };
  yield { figure: `${of} ÷ fixed work`, value: rounded(least(relative), 3), unit: 'ratio' };
}

const step = (id: string) => ({ id });
const events = (...steps: readonly object[]): string => encodeURIComponent(JSON.stringify(steps));

const questions = {
  'daily actives': `trends?include=insight&date_from=-30d&events=${events({ id: '$pageview', math: 'dau' })}`,
  funnel: `funnel?include=insight&date_from=-30d&events=${events(step('$pageview'), step('signed up'), step('purchased'))}`,
} as const;

const companies = 5000;
const sites = 500;

/** The events as those of persons who each belong to a company and to a site. */
const withTwoGroups = (events: readonly SeedEvent[]): readonly SeedEvent[] =>
  events.map((event) => {
    const number = crc32(event.distinct_id);
    const $groups = { company: `company-${number % companies}`, site: `site-${number % sites}` };
    return { ...event, properties: { ...event.properties, $groups } };
  });

const ingest = async (service: BenchedService, events: readonly SeedEvent[]): Promise<void> => {
  const requests = batches(service.project_token, events, eventsPerRequest);
  await load(service.url, connections, requests);
  await untilIdle(service);
};

const ask = async (service: BenchedService, path: string, times: number): Promise<void> => {
  const headers = Object.entries(headersOf(service)).map(([name, value]) => `${name}: ${value}`);
  const question = request('GET', `/api/projects/${service.project_id}/persons/${path}`, '', headers);
  await load(
    service.url,
    1,
    Array.from({ length: times }, () => question),
  );
};

interface Round {
  readonly spent: Spent;
  /** The number of things that it was spent on. */
  readonly of: number;
}

const ratios = async (measureRound: (round: number) => Promise<Round>) => {
  const all: Round[] = [];
  const relative: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const before = fixedWork();
    const one = await measureRound(round);
    all.push(one);
    relative.push(sumOf(one.spent) / one.of / ((before + fixedWork()) / 2));
  }
  return {
    relative,
    all: all.map(({ spent, of }) => sumOf(spent) / of),
    by: (program: Program) => all.map(({ spent, of }) => spent[program] / of),
  };
};

const record = { name: 'a page', path: '/pricing', price: 12.5, tags: ['a', 'b', 'c'], seen: true };

/** Milliseconds of processor time for work of the kind that a service does: text, numbers, compression. */
const fixedWork = (): number => {
  const started = process.cpuUsage();
  for (let time = 0; time < 40; time += 1) {
    const lines = Array.from({ length: 1500 }, (_, at) => JSON.stringify({ ...record, at }));
    const read = lines.map((line) => JSON.parse(line) as { at: number });
    read.sort((a, b) => (a.at % 97) - (b.at % 97));
    deflateSync(lines.join('\n'));
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
};

const least = (values: readonly number[]): number => Math.min(...values);
