import { expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { bootstrapFile, type Env } from '../support/process.js';
import { slowest, statusesOf } from '../support/traffic.js';
import { closingAfterEach, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

const closing = closingAfterEach();

const servers = async (): Promise<Env> => {
  const server = await startClickHouseServer({ path: await newFolder(closing) });
  closing(() => server.close());
  const database = await freshStores();
  closing(() => database.remove());
  return { CLICKHOUSE_URL: new URL('/stepped', server.url).href, DATABASE_URL: database.databaseUrl.href };
};

it.each([
  ['embedded stores', () => Promise.resolve({})],
  ['servers', servers],
])('a service with %s goes on when its clock steps by an hour, with the time of PostgreSQL', async (_, stores) => {
  const NODE_OPTIONS = `--import ${resolve('test/support/step-clock.mjs')}`;
  const dataDir = await newFolder(closing);
  const { service, traffic } = await startWithTraffic(closing, dataDir, { NODE_OPTIONS, ...(await stores()) });
  const { project_id: id, personal_api_key: key } = await bootstrapFile(dataDir);
  const api = `${service.url}/api/projects/${id}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const newest = async () => {
    const { results } = (await (await fetch(`${api}/events?limit=1`, { headers })).json()) as {
      results: { timestamp: string }[];
    };
    return new Date(results[0]?.timestamp ?? 0).getTime();
  };
  const definition = { type: 'AND', values: [{ key: 'text', type: 'person', operator: 'is_not_set', value: '' }] };
  for (const step of ['ahead', 'behind', 'back']) {
    service.child.kill('SIGWINCH');
    const replies = await traffic.go(15, { pauseMs: 100 });
    const tookMs = await traffic.untilRight();
    expect([step, statusesOf(replies, 'capture'), statusesOf(replies, 'question')]).toEqual([step, [200], [200]]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(Math.abs((await newest()) - Date.now())).toBeLessThan(backWithinMs);
    const body = JSON.stringify({ name: step, filters: { properties: definition } });
    const made = (await (await fetch(`${api}/cohorts?wait=20`, { method: 'POST', headers, body })).json()) as object;
    expect(made).toMatchObject({ is_calculating: false, errors_calculating: 0, count: 20 });
    expect((await fetch(`${service.url}/_readyz`)).status).toBe(200);
  }
  const logged = [...service.output().matchAll(/"time":"([^"]+)"/g)].map(([, time]) => Date.parse(time ?? ''));
  expect(Math.max(...logged) - Math.min(...logged)).toBeGreaterThan(7_000_000);
  // Answers to the same key within a day, which no step may end.
  const once = () =>
    fetch(`${api}/actions`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': 'once' },
      body: JSON.stringify({ name: 'Once', steps: [{ event: 'seen' }] }),
    });
  expect((await once()).status).toBe(201);
  service.child.kill('SIGWINCH');
  await sleep(50);
  expect((await once()).headers.get('idempotent-replayed')).toBe('true');
});
