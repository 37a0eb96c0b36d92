import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { bootstrapFile, start, terminate } from '../support/process.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';
import { startPostgresBy } from '../support/stepped-clock/postgres.js';
import { SteppedClock } from '../support/stepped-clock/stepped-clock.js';
import { slowest, statusesOf } from '../support/traffic.js';
import { until } from '../support/until.js';
import { closingAfterEach, newFolder, startWithTraffic } from './faulty-stores.fixture.js';

const closing = closingAfterEach();
const hourMs = 3_600_000;

type Part = 'service' | 'PostgreSQL' | 'ClickHouse';

/** By the service's own measurement of PostgreSQL's clock, every ten seconds. */
const noticedWithinMs = 15_000;

const eventually = (holds: () => Promise<boolean>): Promise<void> =>
  until(holds, { withinMs: noticedWithinMs, everyMs: 200 });

const newClock = async (): Promise<SteppedClock> => {
  const clock = await SteppedClock.make();
  closing(() => clock.remove());
  return clock;
};

/** A server of each store, of which some go by the clock. */
const startServers = async (clock: SteppedClock, stepping: readonly Part[]) => {
  const env = stepping.includes('ClickHouse') ? clock.env : {};
  const clickhouse = await startClickHouseServer({ path: await newFolder(closing), env });
  closing(() => clickhouse.close());
  return {
    clickhouse,
    env: {
      CLICKHOUSE_URL: new URL('/stepped', clickhouse.url).href,
      DATABASE_URL: (stepping.includes('PostgreSQL') ? await postgresBy(clock) : await ordinaryPostgres()).href,
      ALLOW_UNSAFE_DATABASE: '1',
    },
  };
};

const postgresBy = async (clock: SteppedClock): Promise<URL> => {
  const postgres = await startPostgresBy(clock, join(await newFolder(closing), 'postgres'));
  closing(() => postgres.stop());
  return postgres.url;
};

const ordinaryPostgres = async (): Promise<URL> => {
  const database = await freshStores();
  closing(() => database.remove());
  return database.databaseUrl;
};

const cases: readonly (readonly [string, boolean, readonly Part[]])[] = [
  ['the process with the embedded ClickHouse', false, ['service']],
  ['the process', true, ['service']],
  ['the server of PostgreSQL', true, ['PostgreSQL']],
  ['the server of ClickHouse', true, ['ClickHouse']],
  ['everything', true, ['service', 'PostgreSQL', 'ClickHouse']],
];

it.each(cases)('a clock that steps by an hour, of %s, does no harm', async (_, onServers, stepping) => {
  const clock = await newClock();
  const dataDir = await newFolder(closing);
  const own = stepping.includes('service') ? clock.env : {};
  const servers = onServers ? await startServers(clock, stepping) : null;
  const { service, traffic } = await startWithTraffic(closing, dataDir, {
    ...own,
    ...servers?.env,
  });
  const { project_id: id, personal_api_key: key } = await bootstrapFile(dataDir);
  const api = `${service.url}/api/projects/${id}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, more: object = {}) =>
    fetch(`${api}/${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const action = { name: 'Once', steps: [{ event: 'seen' }] };
  const madeAt = async () => {
    const { created_at } = (await (await post('actions', { ...action, name: randomUUID() })).json()) as {
      created_at: string;
    };
    return Date.parse(created_at);
  };
  const definition = { type: 'AND', values: [{ key: 'text', type: 'person', operator: 'is_not_set', value: '' }] };
  const once = () => post('actions', action, { 'Idempotency-Key': 'once' });
  expect((await once()).status).toBe(201);
  for (const [step, aheadMs] of [
    ['ahead', hourMs],
    ['behind', -hourMs],
    ['back', 0],
  ] as const) {
    clock.set(aheadMs);
    if (servers && stepping.includes('ClickHouse')) {
      const answer = await fetch(servers.clickhouse.url, { method: 'POST', body: 'SELECT toUnixTimestamp(now())' });
      expect(Math.abs(Number(await answer.text()) * 1000 - Date.now() - aheadMs)).toBeLessThan(backWithinMs);
    }
    const replies = await traffic.go(15, { pauseMs: 100 });
    const tookMs = await traffic.untilRight();
    expect([step, statusesOf(replies, 'capture'), statusesOf(replies, 'question')]).toEqual([step, [200], [200]]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    const isAhead = stepping.includes('PostgreSQL') ? aheadMs : 0;
    await eventually(async () => Math.abs((await madeAt()) - Date.now() - isAhead) < backWithinMs);
    const made = await post('cohorts?wait=20', { name: step, filters: { properties: definition } });
    expect(await made.json()).toMatchObject({ is_calculating: false, errors_calculating: 0, count: 20 });
    expect((await fetch(`${service.url}/_readyz`)).status).toBe(200);
    // The answer to the same key within a day, which no step ends.
    expect((await once()).headers.get('idempotent-replayed')).toBe('true');
  }
  if (!stepping.includes('service')) return;
  const logged = [...service.output().matchAll(/"time":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? ''));
  expect(Math.max(...logged) - Math.min(...logged)).toBeGreaterThan(hourMs / 2);
});

it('what a process had begun that died while the clock of PostgreSQL was an hour ahead goes on once the clock is right', async () => {
  const clock = await newClock();
  const dataDir = await newFolder(closing);
  const { env, clickhouse } = await startServers(clock, ['PostgreSQL']);
  clock.set(hourMs);
  const { service, traffic } = await startWithTraffic(closing, dataDir, env);
  await traffic.untilRight();
  process.kill(clickhouse.pid, 'SIGSTOP');
  await traffic.capture();
  await sleep(500);
  service.child.kill('SIGKILL');
  await service.exited;
  process.kill(clickhouse.pid, 'SIGCONT');
  clock.set(0);
  const next = await start({ DATA_DIR: dataDir, ...env });
  closing(() => terminate(next));
  const following = traffic.at(next);
  await following.capture();
  expect(await following.untilRight(40_000)).toBeLessThan(20_000);
});
