import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import {
  cli,
  freePort,
  removeDir,
  start,
  tempDir,
  type BootstrapFile,
  type Env,
  type RunningProcess,
} from '../support/process.js';
import { until } from '../support/until.js';

const ahead = '120000';
const shiftClock = pathToFileURL(join(import.meta.dirname, '../support/shift-clock.mjs')).href;

let dir: string;
let stores: Awaited<ReturnType<typeof freshStores>>;
let clickhouse: ClickHouseServer;
let chPort: number;
let env: Env;
let made: BootstrapFile;
let right: RunningProcess;
let wrong: RunningProcess;
let worker: RunningProcess;
const running: RunningProcess[] = [];

const startAs = async (name: string, more: Env): Promise<RunningProcess> => {
  const service = await start({ ...env, DATA_DIR: join(dir, name), ...more });
  running.push(service);
  return service;
};
const withWrongClock = { NODE_OPTIONS: `--import=${shiftClock}`, CLOCK_SHIFT_MS: ahead };

beforeAll(async () => {
  dir = await tempDir();
  stores = await freshStores();
  chPort = await freePort();
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: chPort });
  env = { ...stores.env, CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href, DATA_DIR: join(dir, 'cli') };
  const bootstrap = await cli(env, 'bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json');
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  made = JSON.parse(bootstrap.stdout) as BootstrapFile;
  worker = await startAs('worker', { ROLE: 'worker', ...withWrongClock });
  [right, wrong] = await Promise.all([
    startAs('right', { ROLE: 'api', SHUTDOWN_DELAY_MS: '2000', ALLOW_TEST_CLOCK: '1' }),
    startAs('wrong', { ROLE: 'api', ALLOW_TEST_CLOCK: '1', ...withWrongClock }),
  ]);
});
afterAll(async () => {
  for (const { child, exited } of running) {
    child.kill('SIGKILL');
    await exited;
  }
  await clickhouse.close();
  await stores.remove();
  await removeDir(dir);
});

const call = async (service: RunningProcess, method: string, path: string, body?: object, headers: object = {}) => {
  const answer = await fetch(`${service.url}/api/projects/${made.project_id}/${path}`, {
    method,
    headers: { Authorization: `Bearer ${made.personal_api_key}`, 'Content-Type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> };
};
const capture = async (service: RunningProcess, distinctId: string) => {
  const event = {
    api_key: made.project_token,
    uuid: randomUUID(),
    event: 'seen',
    distinct_id: distinctId,
    properties: { $set: { a: 1 } },
  };
  const answer = await fetch(`${service.url}/capture`, { method: 'POST', body: JSON.stringify(event) });
  expect(answer.status).toBe(200);
  return event.uuid;
};
const ready = async (service: RunningProcess) => {
  const answer = await fetch(`${service.url}/_readyz`);
  return {
    code: answer.status,
    ...((await answer.json()) as { status: string; checks: Record<string, { ok: boolean; detail: string }> }),
  };
};
const trends = (service: RunningProcess) =>
  call(service, 'GET', 'persons/trends?include=insight&events=[{"id":"seen"}]');

describe('processes whose clocks are two minutes apart', () => {
  it('do a keyed request once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `cohort ${round}`;
      const body = { name, groups: [{ properties: [{ key: 'a', value: '1', type: 'person' }] }] };
      const headers = { 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all(
        [right, wrong, right, wrong].map((each) => call(each, 'POST', 'cohorts', body, headers)),
      );
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
      const { body: page } = await call(right, 'GET', `cohorts?search=${encodeURIComponent(name)}`);
      expect(page).toMatchObject({ count: 1 });
    }
  });

  it.each([
    ['ahead', 'right'],
    ['right', 'ahead'],
  ])('remove what was sent before a deletion and keep what came after it: events %s, deletion %s', async (events) => {
    const [writer, deleter] = events === 'ahead' ? [wrong, right] : [right, wrong];
    const distinctId = randomUUID();
    const before = [await capture(writer, distinctId), await capture(deleter, distinctId)];
    const { body } = await call(right, 'GET', `persons?distinct_id=${distinctId}`);
    const [person] = body.results as { uuid: string }[];
    expect((await call(deleter, 'DELETE', `persons/${person?.uuid}?delete_events=true`)).status).toBeLessThan(300);
    const after = [await capture(writer, distinctId), await capture(deleter, distinctId)];
    const run = await cli(env, 'deletions', 'run', '--json');
    expect(run).toMatchObject({ code: 0 });
    const statuses = await Promise.all(
      [...before, ...after].map(async (uuid) => (await call(right, 'GET', `events/${uuid}`)).status),
    );
    expect(statuses).toEqual([404, 404, 200, 200]);
  });

  it('take over from one that was killed within seconds, though it was ahead', async () => {
    await startAs('second worker', { ROLE: 'worker' });
    worker.child.kill('SIGKILL');
    await worker.exited;
    const killedAt = performance.now();
    await capture(right, 'grace');
    for (;;) {
      const { stdout } = await cli(env, 'projection', 'status', '--json');
      if ((JSON.parse(stdout) as { waiting_keys: number }).waiting_keys === 0) break;
      expect(performance.now() - killedAt).toBeLessThan(25_000);
      await sleep(200);
    }
  });
});

describe('a quota of events that two processes share', () => {
  interface Made {
    readonly id: number;
    readonly api_token: string;
  }
  // Yesterday: counts of days older than a week are removed meanwhile.
  const day = { 'X-Test-Now': new Date(Date.now() - 86_400_000).toISOString() };
  const ask = async <T>(service: RunningProcess, method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${service.url}/api/projects${path}`, {
      method,
      headers: { ...day, Authorization: `Bearer ${made.personal_api_key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as T;
  };
  const send = async (service: RunningProcess, { api_token }: Made, size: number): Promise<number> => {
    const batch = Array.from({ length: size }, () => ({ uuid: randomUUID(), event: 'seen', distinct_id: 'ada' }));
    const body = JSON.stringify({ api_key: api_token, batch });
    return (await fetch(`${service.url}/batch`, { method: 'POST', headers: day, body })).status;
  };

  it.each([
    [1, 60],
    [7, 60],
  ])('lets exactly as many batches of %i through as fit, and does not touch other projects', async (size, quota) => {
    const body = { name: 'Limited', quotas: { events_per_day: quota } };
    const limited = await ask<Made>(right, 'POST', '', body);
    const other = await ask<Made>(wrong, 'POST', '', { name: 'Free' });
    const sent = Array.from({ length: 120 }, (_, at) => ({
      project: at % 3 === 2 ? other : limited,
      status: send(at % 2 === 0 ? right : wrong, at % 3 === 2 ? other : limited, size),
    }));
    const statuses = async (project: Made) =>
      Promise.all(sent.filter((each) => each.project === project).map(({ status }) => status));
    const [ofLimited, ofOther] = [await statuses(limited), await statuses(other)];
    const fit = Math.floor(quota / size);
    expect(ofLimited.filter((status) => status === 200)).toHaveLength(fit);
    expect(ofLimited.filter((status) => status === 429)).toHaveLength(80 - fit);
    expect(ofOther).toEqual(Array.from({ length: 40 }, () => 200));
    for (const service of [right, wrong]) {
      const { events_per_day: today } = await ask<{ events_per_day: object }>(service, 'GET', `/${limited.id}/quotas`);
      expect(today).toMatchObject({ limit: quota, used: fit * size });
      expect(await ask(service, 'GET', `/${limited.id}/events?limit=1`)).toMatchObject({ count: fit * size });
    }
    const database = new Client({ connectionString: stores.databaseUrl.href });
    await database.connect();
    const { rows } = await database.query('SELECT count(*)::int AS events FROM events WHERE project_id = $1', [
      limited.id,
    ]);
    await database.end();
    expect(rows).toEqual([{ events: fit * size }]);
  });

  it('has every event that both processes store while it is being set', async () => {
    const project = await ask<Made>(right, 'POST', '', { name: 'Busy' });
    const sending: Promise<number>[] = [];
    let setting: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < 150; at += 1) {
      sending.push(send(at % 2 === 0 ? right : wrong, project, 3));
      if (at === 50) setting = ask(right, 'PATCH', `/${project.id}`, { quotas: { events_per_day: 1000 } });
      if (at % 10 === 0) await sleep(10);
    }
    await setting;
    expect(new Set(await Promise.all(sending))).toEqual(new Set([200]));
    const { events_per_day: today } = await ask<{ events_per_day: object }>(wrong, 'GET', `/${project.id}/quotas`);
    expect(today).toMatchObject({ used: 450 });
    expect([await send(wrong, project, 551), await send(right, project, 550), await send(wrong, project, 1)]).toEqual([
      429, 200, 429,
    ]);
  });

  it('holds in the other process as soon as the answer that sets it has come', async () => {
    const project = await ask<Made>(right, 'POST', '', { name: 'Later' });
    expect([await send(wrong, project, 5), await send(right, project, 5)]).toEqual([200, 200]);
    await ask(right, 'PATCH', `/${project.id}`, { quotas: { events_per_day: 11 } });
    expect([await send(wrong, project, 2), await send(wrong, project, 1), await send(right, project, 1)]).toEqual([
      429, 200, 429,
    ]);
    await ask(right, 'PATCH', `/${project.id}`, { quotas: { events_per_day: null } });
    expect([await send(wrong, project, 2), await send(right, project, 2)]).toEqual([200, 200]);
  });
});

describe('a shipment that can never arrive', () => {
  const status = async () =>
    JSON.parse((await cli(env, 'projection', 'status', '--json')).stdout) as {
      parked: { project: number; error: string }[];
    };
  it('is shown by the command, the health check and the metrics, and arrives by command', async () => {
    const client = new Client({ connectionString: stores.databaseUrl.href });
    await client.connect();
    await client.query(
      `INSERT INTO outbox (project_id, kind, refs, size, created_at) VALUES ($1, 'redirects', '["nobody"]', 1, clock_timestamp())`,
      [made.project_id],
    );
    await until(async () => (await status()).parked.length === 1);
    expect((await status()).parked).toMatchObject([
      { project: made.project_id, error: expect.stringContaining('nobody') },
    ]);
    expect((await ready(right)).checks.projection?.detail).toContain('1 project waits for `projection retry`');
    expect(await (await fetch(`${right.url}/metrics`)).text()).toMatch(/kohort_projection_parked_shipments 1\n/);
    await client.query(`UPDATE outbox SET refs = '["1"]' WHERE kind = 'redirects'`);
    await client.end();
    const retried = await cli(env, 'projection', 'retry', '--project', String(made.project_id), '--json');
    expect(JSON.parse(retried.stdout)).toMatchObject({ retried: 1 });
    await until(async () => (await ready(right)).checks.projection?.detail.includes(' 0 changes waiting') ?? false);
    expect((await status()).parked).toEqual([]);
  });
});

describe('while ClickHouse is away', () => {
  beforeAll(() => clickhouse.close());
  afterAll(async () => {
    clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: chPort });
  });

  it('a process with the API is ready and says what it cannot do; a worker is not ready', async () => {
    expect(await ready(right)).toMatchObject({
      code: 200,
      status: 'ready',
      checks: { clickhouse: { ok: false, detail: expect.stringContaining('questions are answered with 503') } },
    });
    const [second] = running.slice(-1);
    expect(await ready(second as RunningProcess)).toMatchObject({ code: 503, status: 'not_ready' });
  });

  it('events are taken in, and a question is refused within two seconds, whether or not its project waits', async () => {
    await capture(right, 'ada');
    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const sentAt = performance.now();
      expect((await trends(right)).status).toBe(503);
      times.push(performance.now() - sentAt);
    }
    // A busy machine only adds to the time.
    expect(Math.min(...times)).toBeLessThan(2_000);
  });
});

describe('SIGTERM', () => {
  it('makes a process unready first, which takes requests until the delay is over, and ends idle connections then', async () => {
    const idle = connect(Number(new URL(right.url).port), '127.0.0.1');
    await once(idle, 'connect');
    idle.write('GET /_livez HTTP/1.1\r\nHost: kohort\r\n\r\n');
    await once(idle, 'data');
    const sentAt = performance.now();
    right.child.kill('SIGTERM');
    let requests = 0;
    let seen = '';
    for (; performance.now() - sentAt < 1_600; requests += 1) {
      await capture(right, 'late');
      seen = (await ready(right)).status;
    }
    expect([seen, requests > 3]).toEqual(['stopping', true]);
    await once(idle, 'close');
    const { code } = await right.exited;
    expect(code).toBe(0);
    expect(performance.now() - sentAt).toBeGreaterThan(2_000);
    expect(performance.now() - sentAt).toBeLessThan(6_000);
  });
});
