import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Routes } from '../../src/common/http/routes.js';
import { sampleOf } from '../support/sample.js';
import { type Answer } from '../support/service-handle.js';
import { type TestService } from '../support/service.js';
import { faults, seen, ServiceOnLinks, timed, type Outcome } from './stores-down.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

let links: ServiceOnLinks;
let service: TestService;
let requests: readonly RequestOfRoute[];

interface RequestOfRoute {
  readonly name: string;
  readonly ask: () => Promise<Answer>;
}

const capture = () => links.capture();

beforeAll(async () => {
  links = await ServiceOnLinks.start();
  ({ service } = links);
  expect((await capture()).status).toBe(200);
  requests = await everyGet();
});
afterEach(() => links.mend());
afterAll(() => links.stop());

const queries: readonly (readonly [RegExp, Record<string, string>])[] = [
  [/\/funnel/, { events: JSON.stringify([{ id: 'seen' }, { id: 'seen', order: 1 }]) }],
  [/\/(?:trends|stickiness|correlation)/, { events: seen }],
  [/\/events\/live$/, { max_seconds: '1' }],
];

/** Their records take a deletion, an import and another account; they are read as others are. */
const leftOut = ['members/:user_id', 'import/:id', 'deletion_requests/:id'];

/** Each GET of a project about records that are there. */
const everyGet = async (): Promise<RequestOfRoute[]> => {
  const api = `/api/projects/${service.project.id}`;
  const make = async (path: string, body: object) =>
    (await service.call('POST', `${api}/${path}`, { body })).body as { id: string | number };
  const rows = async (path: string) =>
    ((await service.call('GET', `${api}/${path}`)).body as { results: { id: string; uuid: string }[] }).results;
  const [person] = await rows('persons');
  const [event] = await rows('events');
  const ids = new Map<string, string | number | undefined>([
    ['persons/:id', person?.id],
    ['events/:uuid', event?.uuid],
    ['cohorts/:id', (await make('cohorts', { name: 'seen', is_static: true, person_ids: [person?.id] })).id],
    ['actions/:id', (await make('actions', { name: 'seen', steps: [{ event: 'seen' }] })).id],
    ['insights/:id', (await make('insights', { name: 'seen', question: { type: 'trends', params: {} } })).id],
    ['dashboards/:id', (await make('dashboards', { name: 'seen' })).id],
    ['webhooks/:id', (await make('webhooks', { url: 'https://receiver.invalid/hook', paused: true })).id],
  ]);
  const routes = service.app.get(Routes).all();
  return routes.flatMap(({ method, path, rules }) => {
    if (method !== 'GET' || rules[0]?.kind !== 'key' || !path.includes(':project_id')) return [];
    const place = /:project_id\/(\w+\/:\w+)/.exec(path)?.[1];
    if (place !== undefined && leftOut.includes(place)) return [];
    if (place !== undefined && ids.get(place) === undefined) throw new Error(`Make a record for ${place} here`);
    const url = path
      .replace(':project_id', String(service.project.id))
      .replace(/:\w+/, String(ids.get(place ?? '') ?? ''));
    const query = path.endsWith('/explain')
      ? { person_id: String(person?.id) }
      : (queries.find(([pattern]) => pattern.test(path))?.[1] ?? {});
    return [{ name: path, ask: () => service.call('GET', url, { query }) }];
  });
};

const askAll = async (): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  const askInTurn = async (waiting: RequestOfRoute[]) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes.push(await timed(next.name, next.ask));
  };
  // A project has two exports at a time.
  const exports = requests.filter(({ name }) => name.includes('export'));
  const others = requests.filter((each) => !exports.includes(each));
  await Promise.all([askInTurn(exports), ...Array.from({ length: 4 }, () => askInTurn(others))]);
  return outcomes.sort((a, b) => (a.name < b.name ? -1 : 1));
};
const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ name, status }) => `${status} ${name}`);

const stores = [
  { store: 'ClickHouse', link: () => links.clickhouse, takesEvents: true },
  { store: 'PostgreSQL', link: () => links.postgres, takesEvents: false },
];
const away = stores.flatMap((store) => faults.map((fault) => ({ ...store, fault })));

describe('a service', () => {
  let healthy: Outcome[];

  beforeAll(async () => {
    healthy = await askAll();
  });

  /** Answers that are neither those of before nor a 503. */
  const unexpected = (outcomes: readonly Outcome[]): string[] => {
    const before = new Set(statuses(healthy));
    return statuses(outcomes.filter(({ status }) => status !== 503)).filter((line) => !before.has(line));
  };

  it('answers every route that reads while its stores are there', () => {
    expect(healthy.length).toBeGreaterThan(50);
    expect(healthy.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it.each(sampleOf(away, 6))(
    `whose $store is $fault answers as before or 503 within ${answeredWithinMs / 1_000} s, and is right within 5 s of its return`,
    async ({ link, fault, takesEvents }) => {
      await link().set(fault);
      const outcomes = await askAll();
      const captures = [await timed('capture', capture), await timed('capture', capture)];
      await link().set('none');
      const tookMs = await links.untilRight();
      expect(unexpected(outcomes)).toEqual([]);
      expect(outcomes.some(({ status }) => status === 503)).toBe(true);
      expect([...outcomes, ...captures].filter(({ ms }) => ms > answeredWithinMs)).toEqual([]);
      expect(captures.map(({ status }) => status)).toEqual(captures.map(() => (takesEvents ? 200 : 503)));
      expect(tookMs).toBeLessThan(backWithinMs);
      expect(statuses(await askAll())).toEqual(statuses(healthy));
    },
    120_000,
  );

  it.each(sampleOf(stores, 2))(
    'whose $store falls silent while it answers says so within 2 s, too',
    async ({ link }) => {
      const under = askAll();
      const captures = Array.from({ length: 20 }, () => timed('capture', capture));
      await sleep(30);
      await link().set('silent');
      const outcomes = [...(await under), ...(await Promise.all(captures))];
      await link().set('none');
      expect(unexpected(outcomes.filter(({ name }) => name !== 'capture'))).toEqual([]);
      expect(outcomes.filter(({ ms }) => ms > answeredWithinMs)).toEqual([]);
      expect(await links.untilRight()).toBeLessThan(backWithinMs);
    },
    120_000,
  );

  it.each(sampleOf(stores, 2))(
    'whose $store is slow takes events, and answers',
    async ({ link }) => {
      await link().set('slow');
      expect((await timed('capture', capture)).status).toBe(200);
      expect(unexpected(await askAll())).toEqual([]);
      await link().set('none');
      expect(await links.untilRight()).toBeLessThan(backWithinMs);
    },
    120_000,
  );
});
