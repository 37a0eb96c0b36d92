import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Figure } from '../bench.js';
import { Connection, request } from './load.js';
import { untilIdle, type BenchedService } from './service.js';

const bound = 50;
const warmUp = 10;

interface Terms {
  readonly which: string;
  readonly samples: number;
  readonly term: (n: number) => string;
  /** How many persons have the term. */
  readonly found: (persons: number) => (count: number) => boolean;
  /** Terms of fewer than three characters and terms of many persons have no bound: all texts of the project are read. */
  readonly atMost: number | null;
}

const few = () => (count: number) => count >= 1 && count <= 111;
const everyone = (persons: number) => (count: number) => count === persons;

const all: readonly Terms[] = [
  { which: 'part of an e-mail', samples: 200, term: (n) => `n${n}@exam`, found: few, atMost: bound },
  { which: 'part of a name', samples: 200, term: (n) => `RSON ${n}`, found: few, atMost: bound },
  { which: 'part of a distinct id', samples: 200, term: (n) => `ser-${n}`, found: few, atMost: bound },
  { which: 'no person', samples: 200, term: (n) => `nothing ${n}`, found: () => (count) => count === 0, atMost: bound },
  {
    which: 'two characters',
    samples: 40,
    term: (n) => `${10 + (n % 90)}`,
    found: () => (count) => count > 0,
    atMost: null,
  },
  { which: 'one letter of all persons', samples: 40, term: () => 'e', found: everyone, atMost: null },
  { which: 'a text of all persons', samples: 40, term: () => 'example.test', found: everyone, atMost: null },
];

/** Searches of persons that `makePersons` has made. They must be in ClickHouse first. */
export async function* searchFigures(service: BenchedService, persons: number): AsyncGenerator<Figure> {
  await shipPersons(service);
  const connection = await Connection.open(service.url);
  for (const { which, samples, term, found, atMost } of all) {
    const holds = found(persons);
    const times: number[] = [];
    for (let n = 0; n < samples + warmUp; n += 1) {
      const search = encodeURIComponent(term(10_000 + ((n * 7919) % Math.floor(persons / 20))));
      const started = performance.now();
      const { status, body } = await connection.ask(ask(service, search));
      if (n >= warmUp) times.push(performance.now() - started);
      const { count } = JSON.parse(body) as { count: number };
      if (status !== 200 || !holds(count)) throw new Error(`${search}: ${body.slice(0, 500)}`);
    }
    times.sort((a, b) => a - b);
    yield { figure: `search: ${which}, median`, value: rounded(percentile(times, 0.5)), unit: 'ms' };
    const p99 = rounded(percentile(times, 0.99));
    yield { figure: `search: ${which}, p99`, value: p99, unit: 'ms', ...(atMost === null ? {} : { atMost }) };
  }
  connection.close();
}

const ask = ({ project_id, personal_api_key }: BenchedService, search: string): Buffer =>
  request('GET', `/api/projects/${project_id}/persons?search=${search}`, '', [
    `Authorization: Bearer ${personal_api_key}`,
  ]);

/** Queues all persons for the projection, as an import would. */
const shipPersons = async (service: BenchedService): Promise<void> => {
  await service.database.query(
    `INSERT INTO outbox (project_id, kind, refs, size, created_at)
     SELECT project_id, 'persons', jsonb_agg(id::text ORDER BY id), count(*), now()
     FROM (SELECT project_id, id, (id - 1) / 1000 AS slice FROM persons WHERE project_id = $1) AS p
     GROUP BY project_id, slice ORDER BY slice`,
    [service.project_id],
  );
  await untilIdle(service);
  // The parts of the shipments are still being merged.
  await sleep(10_000);
};
