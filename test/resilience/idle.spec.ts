import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';
import { proportionalMemory } from '../support/proportional-memory.js';
import { statementsAtRest } from '../support/statements-at-rest.js';

const seconds = 40;
/** One more, because the first statement may come at once. */
const most = seconds / 5 + 1;

let dataDir: string;
let service: RunningProcess;

beforeAll(async () => {
  dataDir = await tempDir();
  service = await start({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await terminate(service);
  await removeDir(dataDir);
});

it('a service without requests sends no statement to its stores more often than once in 5 s', async () => {
  // What a start leaves to do is done by then.
  await sleep(10_000);
  const { postgres, clickhouse } = await statementsAtRest(dataDir, sleep(seconds * 1000));
  expect(postgres.size).toBeGreaterThan(5);
  expect([...postgres].filter(([, times]) => times > most)).toEqual([]);
  expect(clickhouse).toBeLessThanOrEqual(most);
});

it('a service without requests takes at most 350 MB of memory', async () => {
  expect(await proportionalMemory(service, dataDir)).toBeLessThan(350);
});
