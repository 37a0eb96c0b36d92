import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import {
  cli,
  freePort,
  removeDir,
  start,
  tempDir,
  type BootstrapFile,
  type RunningProcess,
} from '../support/process.js';

const shiftClock = pathToFileURL(join(import.meta.dirname, '../support/shift-clock.mjs')).href;

let dir: string;
let stores: Awaited<ReturnType<typeof freshStores>>;
let clickhouse: ClickHouseServer;
let made: BootstrapFile;
let here: RunningProcess;
/** Its clock is two minutes ahead. */
let there: RunningProcess;
const running: RunningProcess[] = [];

beforeAll(async () => {
  dir = await tempDir();
  stores = await freshStores();
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: await freePort() });
  const env = { ...stores.env, CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href, DATA_DIR: join(dir, 'cli') };
  const bootstrap = await cli(env, 'bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json');
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  made = JSON.parse(bootstrap.stdout) as BootstrapFile;
  here = await start({ ...env, DATA_DIR: join(dir, 'here'), ROLE: 'api' });
  running.push(here);
  const wrongClock = { NODE_OPTIONS: `--import=${shiftClock}`, CLOCK_SHIFT_MS: '120000' };
  there = await start({ ...env, DATA_DIR: join(dir, 'there'), ROLE: 'api', ...wrongClock });
  running.push(there);
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

const call = async <T>(at: RunningProcess, method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${at.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${made.personal_api_key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status).toBeLessThan(300);
  return (answer.status === 204 ? null : await answer.json()) as T;
};
const newKey = (): Promise<KeyDto & { value: string }> =>
  call(here, 'POST', 'personal_api_keys', { label: 'a', scopes: ['project:read'] });
const read = async (at: RunningProcess, key: string): Promise<number> =>
  (await fetch(`${at.url}/api/projects`, { headers: { authorization: `Bearer ${key}` } })).status;
const capture = async (at: RunningProcess, token: string): Promise<number> =>
  (
    await fetch(`${at.url}/capture`, {
      method: 'POST',
      body: JSON.stringify({ api_key: token, event: 'seen', distinct_id: 'ada' }),
    })
  ).status;
/** The milliseconds after which both processes answer with the status, beginning with `since`. */
const untilBoth = async (ask: (at: RunningProcess) => Promise<number>, status: number, since: number) => {
  const times = [here, there].map(async (at) => {
    while ((await ask(at)) !== status) {
      expect(performance.now() - since).toBeLessThan(10_000);
      await sleep(10);
    }
    return performance.now() - since;
  });
  return Math.max(...(await Promise.all(times)));
};

describe('on two processes whose clocks are two minutes apart', () => {
  it('a key that one revokes or narrows is refused by the other within a second', async () => {
    const [revoked, narrowed] = [await newKey(), await newKey()];
    for (const at of [here, there])
      expect([await read(at, revoked.value), await read(at, narrowed.value)]).toEqual([200, 200]);
    let since = performance.now();
    await call(here, 'DELETE', `personal_api_keys/${revoked.id}`);
    expect(await untilBoth((at) => read(at, revoked.value), 401, since)).toBeLessThan(1000);
    since = performance.now();
    await call(there, 'PATCH', `personal_api_keys/${narrowed.id}`, { scopes: ['person:read'] });
    expect(await untilBoth((at) => read(at, narrowed.value), 403, since)).toBeLessThan(1000);
  });

  it('a key that either rotates has both secrets on both until the overlap ends, and then one', async () => {
    for (const at of [here, there]) {
      const key = await newKey();
      const since = performance.now();
      const { value } = await call<KeyDto & { value: string }>(at, 'POST', `personal_api_keys/${key.id}/rotate`, {
        overlap_seconds: 2,
      });
      for (const each of [here, there])
        expect([await read(each, key.value), await read(each, value)]).toEqual([200, 200]);
      const passed = await untilBoth((each) => read(each, key.value), 401, since);
      expect(passed).toBeGreaterThan(1900);
      expect(passed).toBeLessThan(3000);
      for (const each of [here, there]) expect(await read(each, value)).toBe(200);
    }
  });

  it('a project token that either rotates captures on both until the grace ends, and then no longer', async () => {
    let token = made.project_token;
    for (const at of [here, there]) {
      for (const each of [here, there]) expect(await capture(each, token)).toBe(200);
      const since = performance.now();
      const rotated = await call<ProjectDto>(at, 'POST', `projects/${made.project_id}/rotate_token`, {
        grace_seconds: 2,
      });
      for (const each of [here, there])
        expect([await capture(each, token), await capture(each, rotated.api_token)]).toEqual([200, 200]);
      const [old] = [token];
      const passed = await untilBoth((each) => capture(each, old), 401, since);
      expect(passed).toBeGreaterThan(1900);
      expect(passed).toBeLessThan(3200);
      for (const each of [here, there]) expect(await capture(each, rotated.api_token)).toBe(200);
      token = rotated.api_token;
    }
  });
});
