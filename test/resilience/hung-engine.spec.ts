import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bootstrapFile,
  engineOf,
  processesIn,
  removeDir,
  start,
  tempDir,
  terminate,
  type RunningProcess,
} from '../support/process.js';
import { until } from '../support/until.js';

let dataDir: string;
let service: RunningProcess;
let key: string;
let token: string;

beforeEach(async () => {
  dataDir = await tempDir();
  service = await start({ DATA_DIR: dataDir });
  ({ personal_api_key: key, project_token: token } = await bootstrapFile(dataDir));
  expect(await capture(1)).toBe(200);
  await until(async () => (await counted()) === 1);
});
afterEach(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) service.child.kill('SIGKILL');
  await removeDir(dataDir);
});

const capture = async (n: number): Promise<number> => {
  const batch = Array.from({ length: n }, () => ({ event: 'seen', distinct_id: 'ada' }));
  const answer = await fetch(`${service.url}/batch`, {
    method: 'POST',
    body: JSON.stringify({ api_key: token, batch }),
  });
  return answer.status;
};

/** Null for a refusal. */
const counted = async (): Promise<number | null> => {
  const answer = await fetch(`${service.url}/api/projects/1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'select count() from events' }),
  });
  if (answer.status !== 200) return null;
  return ((await answer.json()) as { results: [[number]] }).results[0][0];
};

/** The engine has five seconds to check the pattern. */
const lookUp = async (): Promise<number> => {
  const filter = JSON.stringify([{ key: 'email', type: 'person', operator: 'regex', value: 'a.c' }]);
  const url = `${service.url}/api/projects/1/persons?properties=${encodeURIComponent(filter)}`;
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
};

it('an engine that hangs is ended five seconds after the limit of a statement; events are taken in all the while', async () => {
  const engine = engineOf(service);
  process.kill(engine, 'SIGSTOP');
  const begun = Date.now();
  const look = lookUp();
  let captured = 1;
  const isReplaced = async () => {
    expect(await capture(10)).toBe(200);
    captured += 10;
    return (await processesIn(dataDir)).every((pid) => pid !== engine);
  };
  await until(isReplaced, { withinMs: 25_000, everyMs: 200 });
  expect(Date.now() - begun).toBeGreaterThan(9_000);
  expect(await look).not.toBe(200);
  const endedAt = Date.now();
  await until(async () => (await counted()) === captured, { withinMs: 15_000 });
  console.log(`right again ${Date.now() - endedAt} ms after the end of the engine`);
  expect(service.output()).toMatch(/a statement could not be stopped/);
  expect((await terminate(service)).code).toBe(0);
});

it('a stop beside an engine that hangs takes less than ten seconds and leaves no process', async () => {
  process.kill(engineOf(service), 'SIGSTOP');
  const look = lookUp().catch(() => 0);
  await sleep(300);
  const { code, ms } = await terminate(service);
  expect({ code, isQuick: ms < 10_000 }).toEqual({ code: 0, isQuick: true });
  await look;
  expect(await processesIn(dataDir)).toEqual([]);
});

it('an engine ends with a service that is killed, also while it hangs', async () => {
  const engine = engineOf(service);
  service.child.kill('SIGKILL');
  await service.exited;
  await until(async () => !(await processesIn(dataDir)).includes(engine), { withinMs: 5_000 });
});
