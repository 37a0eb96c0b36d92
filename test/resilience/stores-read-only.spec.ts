import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { FailingDisk } from '../support/failing-disk.js';
import { start, terminate } from '../support/process.js';
import { mayMount } from '../support/small-disk.js';
import { personalText, slowest, statusesOf } from '../support/traffic.js';

import { closingAfterEach, expectRefusals, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

const onDisks = mayMount() ? describe : describe.skip;
const closing = closingAfterEach();
const folder = () => newFolder(closing);
const logger = createLogger({ logLevel: 'silent' });

const failingDisk = async (): Promise<FailingDisk> => {
  const disk = await FailingDisk.at(await folder(), 600);
  closing(() => disk.unmount());
  return disk;
};

onDisks('a file system that fails and turns read-only', () => {
  it('with both stores on it costs no acknowledged event once it is repaired and the service started', async () => {
    const disk = await failingDisk();
    const dataDir = join(disk.path, 'data');
    const { service, traffic } = await startWithTraffic(closing, dataDir);
    disk.turnReadOnly();
    const replies = await traffic.go(15, { pauseMs: 100 });
    await terminate(service);
    disk.repair();
    const again = await start({ DATA_DIR: dataDir });
    closing(() => terminate(again));
    await traffic.at(again).untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([503]);
    expectRefusals(replies, 'The database takes no changes at the moment');
    expect(service.output()).toContain('the file system of PostgreSQL is read-only');
    expect(service.output()).toContain(
      'The embedded PostgreSQL could not be started again: its file system is read-only',
    );
    expect(service.output()).not.toContain(personalText);
  });

  it('of a PostgreSQL server makes the service refuse events until the server is back', async () => {
    const disk = await failingDisk();
    const options = { dataDir: join(disk.path, 'data'), logger };
    const server = await startEmbeddedPostgres(options);
    const { service, traffic } = await startWithTraffic(closing, await folder(), { DATABASE_URL: server.url.href });
    disk.turnReadOnly();
    const replies = await traffic.go(15);
    await server.stop();
    disk.repair();
    const next = await startEmbeddedPostgres(options);
    closing(() => next.stop());
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([503]);
    expectRefusals(replies, 'The database takes no changes at the moment');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).not.toContain(personalText);
  });

  it('of a ClickHouse server costs no event, and parks nothing', async () => {
    const disk = await failingDisk();
    const path = join(disk.path, 'clickhouse');
    const server = await startClickHouseServer({ path });
    const { service, traffic } = await startWithTraffic(closing, await folder(), {
      CLICKHOUSE_URL: new URL('/failing', server.url).href,
    });
    disk.turnReadOnly();
    const replies = await traffic.go(16);
    await server.close();
    disk.repair();
    const next = await startClickHouseServer({ path, port: Number(server.url.port) });
    closing(() => next.close());
    const tookMs = await traffic.untilRight();
    expect(statusesOf(replies, 'capture')).toEqual([200]);
    expect(statusesOf(replies, 'question').filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('its file system is read-only');
    expect(service.output()).not.toContain('parked');
    expect(service.output()).not.toContain(personalText);
  });
});
