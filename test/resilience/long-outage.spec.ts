import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { freePort, startClickHouseServer } from '../support/clickhouse/server.mjs';
import { personalText, slowest, statusesOf, type Reply } from '../support/traffic.js';
import { closingAfterEach, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs } from '../support/promised-times.js';

const closing = closingAfterEach();

/** The events of so many minutes, sent as fast as they are taken. */
const minutes = Number(process.env.OUTAGE_MINUTES ?? (process.env.EVERY_CASE ? 60 : 5));
const requestsAMinute = 60;
const eventsARequest = 50;

const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it(`takes the events of ${minutes} minutes while ClickHouse is down, and ships each of them once when it is back`, async () => {
  const access = { path: await newFolder(closing), port: await freePort() };
  let server = await startClickHouseServer(access);
  closing(() => server.close());
  const { service, traffic } = await startWithTraffic(closing, await newFolder(closing), {
    CLICKHOUSE_URL: new URL('/away', server.url).href,
  });
  await server.close();
  const before = await memoryOf(service.pid);
  const replies: Reply[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let request = 0; request < requestsAMinute; request += 1) replies.push(await traffic.capture(eventsARequest));
    replies.push(await traffic.question());
  }
  const grownMb = (await memoryOf(service.pid)) - before;
  server = await startClickHouseServer(access);
  const back = performance.now();
  const during: (number | null)[] = [];
  for (let isRight = false; !isRight && performance.now() - back < 120_000;) {
    const { count } = await traffic.question();
    during.push(count);
    isRight = count === traffic.accepted;
  }
  const tookMs = Math.round(performance.now() - back);
  console.log(
    `${traffic.accepted} events were shipped ${tookMs} ms after the return of ClickHouse; memory grew by ${Math.round(grownMb)} MB`,
  );
  expect(statusesOf(replies, 'capture')).toEqual([200]);
  expect(statusesOf(replies, 'question')).toEqual([503]);
  expect(slowest(replies)).toBeLessThan(answeredWithinMs);
  expect(during.at(-1)).toBe(traffic.accepted);
  expect(during.every((count) => count === null || count <= traffic.accepted)).toBe(true);
  await traffic.untilRight();
  expect(
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('cannot be brought up to date')).length,
  ).toBeLessThan(5 + minutes);
  expect(service.output()).not.toContain('parked');
  expect(service.output()).not.toContain(personalText);
}, 600_000);
