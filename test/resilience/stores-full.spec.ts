import { afterEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createLogger } from '../../src/common/logging/logger.js';
import { startEmbeddedPostgres } from '../../src/stores/postgres/embedded/server.js';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { bootstrapFile, removeDir, start, tempDir, terminate, type Env } from '../support/process.js';
import { mayMount, SmallDisk } from '../support/small-disk.js';
import { personalText, slowest, statusesOf, Traffic } from '../support/traffic.js';

const answeredWithinMs = process.env.EVERY_CASE ? 2_000 : 3_000;
const backWithinMs = 5_000;
const onDisks = mayMount() ? describe : describe.skip;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const folder = async (): Promise<string> => {
  const path = await tempDir();
  closers.push(() => removeDir(path));
  return path;
};

const smallDisk = async (megabytes: number): Promise<SmallDisk> => {
  const disk = await SmallDisk.at(join(await folder(), 'disk'), megabytes);
  closers.push(() => disk.unmount());
  return disk;
};

const startOn = async (env: Env, dataDir: string) => {
  // A question that waits for what cannot be shipped is answered sooner.
  const service = await start({ DATA_DIR: dataDir, PROJECTION_WAIT_MS: '300', ...env });
  closers.push(() => terminate(service));
  const traffic = new Traffic(service, await bootstrapFile(dataDir));
  await traffic.go(2);
  return { service, traffic };
};

onDisks('a service whose disk is full', () => {
  it('with both stores on it refuses events, answers questions, and goes on by itself', async () => {
    const disk = await smallDisk(300);
    const { service, traffic } = await startOn({}, join(disk.path, 'data'));
    await disk.fill();
    const replies = await traffic.go(20, { events: 100, bytes: 500 });
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toContain(503);
    expect(statusesOf(replies, 'capture').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(statusesOf(replies, 'question').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(replies.some(({ detail }) => detail === 'The disk of the database is full')).toBe(true);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('the disk of PostgreSQL is full: free space on that of DATA_DIR');
    expect(service.output()).not.toContain(personalText);
  });

  it('when PostgreSQL has to stop for it, starts it again once there is space', async () => {
    const disk = await smallDisk(300);
    const { service, traffic } = await startOn({}, join(disk.path, 'data'));
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
    closers.push(() => server.close());
    const { service, traffic } = await startOn({ CLICKHOUSE_URL: new URL('/full', server.url).href }, await folder());
    await disk.fill();
    const replies = await traffic.go(16);
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
    closers.push(() => server.stop());
    const { service, traffic } = await startOn({ DATABASE_URL: server.url.href }, await folder());
    await disk.fill();
    const replies = await traffic.go(20, { events: 100, bytes: 500 });
    await disk.free();
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toContain(503);
    expect(statusesOf(replies, 'capture').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(statusesOf(replies, 'question').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('or of the server of DATABASE_URL');
    expect(service.output()).not.toContain(personalText);
  });
});
