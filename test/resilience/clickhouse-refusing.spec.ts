import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startClickHouseServer } from '../support/clickhouse/server.mjs';
import { personalText, slowest, statusesOf } from '../support/traffic.js';
import { closingAfterEach, expectRefusals, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

const closing = closingAfterEach();
const folder = () => newFolder(closing);

describe('a ClickHouse server', () => {
  const command = async (url: URL, text: string): Promise<void> => {
    const answer = await fetch(url, { method: 'POST', body: text });
    if (!answer.ok) throw new Error(await answer.text());
  };

  it('with a table that is read-only loses and parks nothing', async () => {
    const server = await startClickHouseServer({ path: await folder() });
    closing(() => server.close());
    const { service, traffic } = await startWithTraffic(closing, await folder(), {
      CLICKHOUSE_URL: new URL('/fixed', server.url).href,
    });
    await command(server.url, 'ALTER TABLE fixed.events MODIFY SETTING table_readonly = 1');
    const replies = await traffic.go(12);
    await command(server.url, 'ALTER TABLE fixed.events RESET SETTING table_readonly');
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200]);
    expect(statusesOf(replies, 'question')).toEqual([200]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('a table is read-only');
    expect(service.output()).not.toContain('parked');
    expect(service.output()).not.toContain(personalText);
  });

  it('whose user may only read, for a while, makes the service answer 503, and loses and parks nothing', async () => {
    const [path, port] = [await folder(), await freePort()];
    const access = { path, port, password: 'secret' };
    let server = await startClickHouseServer(access);
    closing(() => server.close());
    const { service, traffic } = await startWithTraffic(closing, await folder(), {
      CLICKHOUSE_URL: new URL('/fixed', server.url).href,
    });
    await server.close();
    server = await startClickHouseServer({ ...access, isReadOnly: true });
    const replies = await traffic.go(12);
    await server.close();
    server = await startClickHouseServer(access);
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200]);
    expectRefusals(replies, 'Analytics cannot be reached at the moment');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('the user of CLICKHOUSE_URL is read-only');
    expect(service.output()).not.toContain('parked');
    expect(service.output()).not.toContain(personalText);
  });

  it('that others keep busy makes the service answer 503 to questions, and takes every event', async () => {
    const settings = '<max_concurrent_queries>8</max_concurrent_queries>';
    const server = await startClickHouseServer({ path: await folder(), settings });
    closing(() => server.close());
    const { service, traffic } = await startWithTraffic(closing, await folder(), {
      CLICKHOUSE_URL: new URL('/busy', server.url).href,
    });
    const oneSecond = new URL('/?query=SELECT+sleep(1)', server.url);
    let isOver = false;
    const occupy = async () => {
      for (; !isOver; await sleep(10)) await fetch(oneSecond).then((answer) => answer.text());
    };
    const others = Promise.all(Array.from({ length: 10 }, occupy));
    const replies = await traffic.go(15);
    isOver = true;
    await others;
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200]);
    expectRefusals(replies, 'Analytics cannot be reached at the moment');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('too many simultaneous queries');
    expect(service.output()).not.toContain('parked');
  });
});
