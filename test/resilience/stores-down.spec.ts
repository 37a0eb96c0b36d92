import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyGet, type RequestOfRoute } from '../support/every-get.js';
import { sampleOf } from '../support/sample.js';
import { type TestService } from '../support/service.js';
import { faults, ServiceOnLinks, timed, type Outcome } from './stores-down.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

let links: ServiceOnLinks;
let service: TestService;
let requests: readonly RequestOfRoute[];

const capture = () => links.capture();

beforeAll(async () => {
  links = await ServiceOnLinks.start();
  ({ service } = links);
  expect((await capture()).status).toBe(200);
  requests = await everyGet(service);
});
afterEach(() => links.mend());
afterAll(() => links.stop());

/** An answer that has started can only be cut. */
const cutAs503 = ({ ask }: RequestOfRoute): Promise<{ readonly status: number }> =>
  ask().catch((error: Error) => {
    if (error.message === 'aborted') return { status: 503 };
    throw error;
  });

const askAll = async (
  ask: (request: RequestOfRoute) => Promise<{ readonly status: number }> = (request) => request.ask(),
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  const askInTurn = async (waiting: RequestOfRoute[]) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const request = next;
      outcomes.push(await timed(request.name, () => ask(request)));
    }
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
      const under = askAll(cutAs503);
      await sleep(30);
      await link().set('silent');
      const outcomes = await under;
      await link().set('none');
      expect(unexpected(outcomes)).toEqual([]);
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
