import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { mayMount, SmallDisk } from '../support/small-disk.js';
import { personalText, slowest, statusesOf } from '../support/traffic.js';

import { closingAfterEach, expectRefusals, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

const onDisks = mayMount() ? describe : describe.skip;
const closing = closingAfterEach();
const folder = () => newFolder(closing);

const smallDisk = async (megabytes: number): Promise<SmallDisk> => {
  const disk = await SmallDisk.at(join(await folder(), 'disk'), megabytes);
  closing(() => disk.unmount());
  return disk;
};

onDisks('a service whose disk is full', () => {
  it('with both stores on it refuses events, answers questions, and goes on by itself', async () => {
    const disk = await smallDisk(300);
    const { service, traffic } = await startWithTraffic(closing, join(disk.path, 'data'));
    await disk.fill();
    const replies = await traffic.go(20, { events: 100, bytes: 500 });
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toContain(503);
    expectRefusals(replies, 'The disk of the database is full');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('the disk of PostgreSQL is full: free space on that of DATA_DIR');
    expect(service.output()).not.toContain(personalText);
  });

  it('when PostgreSQL has to stop for it, starts it again once there is space', async () => {
    const disk = await smallDisk(300);
    const { service, traffic } = await startWithTraffic(closing, join(disk.path, 'data'));
    // Less than the next file of the log of PostgreSQL needs.
    await disk.fill(14_000_000);
    const replies = await traffic.go(30, { events: 100, bytes: 1_000, pauseMs: 100 });
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200, 503]);
    expect(statusesOf(replies, 'question')).toEqual([200, 503]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toMatch(/did not start .*free some on the disk of DATA_DIR/);
    expect(service.output()).not.toContain(personalText);
  });

  it('of a ClickHouse server takes every event, and parks nothing', async () => {
    const disk = await smallDisk(150);
    const server = await startClickHouseServer({ path: disk.path });
    closing(() => server.close());
    const { service, traffic } = await startWithTraffic(closing, await folder(), {
      CLICKHOUSE_URL: new URL('/full', server.url).href,
    });
    const before = traffic.accepted;
    await disk.fill();
    const replies = await traffic.go(16);
    for (let n = 0; n < 5; n += 1) {
      const { status, count } = await traffic.question();
      // What was shipped before is there; an answer says in its `as_of` that nothing later is.
      if (status === 200) expect(count).toBe(before);
      else expect(status).toBe(503);
    }
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200]);
    expect(statusesOf(replies, 'question').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toMatch(/its disk is full, free space on that of DATA_DIR, or of the server/);
    expect(service.output()).not.toContain('parked');
    expect(service.output()).not.toContain(personalText);
  });

  it('of a PostgreSQL server refuses events, and goes on by itself', async () => {
    const disk = await smallDisk(300);
    const server = await startEmbeddedPostgres({ dataDir: disk.path, logger: createLogger({ logLevel: 'silent' }) });
    closing(() => server.stop());
    const { service, traffic } = await startWithTraffic(closing, await folder(), { DATABASE_URL: server.url.href });
    await disk.fill();
    const replies = await traffic.go(20, { events: 100, bytes: 500 });
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toContain(503);
    expectRefusals(replies, 'The disk of the database is full');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('or of the server of DATABASE_URL');
    expect(service.output()).not.toContain(personalText);
  });
});
