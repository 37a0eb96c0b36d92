import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { FaultyLink } from '../support/faulty-link.js';
import { launch, start, terminate } from '../support/process.js';
import { readinessOf } from '../support/readiness.js';
import { mayMount, SmallDisk } from '../support/small-disk.js';
import { personalText, slowest, statusesOf } from '../support/traffic.js';
import { until } from '../support/until.js';

import { closingAfterEach, expectRefusals, newFolder, startWithTraffic } from './faulty-stores.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

const onDisks = mayMount() ? it : it.skip;
const closing = closingAfterEach();
const folder = () => newFolder(closing);

/** A PostgreSQL server with nothing else on it, and connections of its superuser. */
const postgresServer = async () => {
  const dataDir = await folder();
  const server = await startEmbeddedPostgres({ dataDir, logger: createLogger({ logLevel: 'silent' }) });
  closing(() => server.stop());
  const { user, password } = JSON.parse(await readFile(join(dataDir, 'postgres.admin.json'), 'utf8')) as {
    user: string;
    password: string;
  };
  const connected = async (url: URL): Promise<Client> => {
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    closing(() => client.end());
    return client;
  };
  const adminUrl = new URL(server.url);
  [adminUrl.username, adminUrl.password] = [user, password];
  return { url: server.url, admin: await connected(adminUrl), newConnection: () => connected(server.url) };
};

const cutService = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kohort'`;

describe('a PostgreSQL server', () => {
  it('that is read-only makes the service refuse events and answer questions', async () => {
    const { url, admin } = await postgresServer();
    const { service, traffic } = await startWithTraffic(closing, await folder(), { DATABASE_URL: url.href });
    await admin.query(`ALTER DATABASE kohort SET default_transaction_read_only = on`);
    await admin.query(cutService);
    const replies = await traffic.go(15);
    const whileReadOnly = await readinessOf(service);
    await admin.query('ALTER DATABASE kohort RESET default_transaction_read_only');
    // No balancer sends anything until then.
    await until(async () => (await readinessOf(service)).status === 200, { withinMs: backWithinMs });
    const tookMs = await traffic.untilRight();
    expectRefusals(replies, 'The database takes no changes at the moment');
    expect(statusesOf(replies.slice(4), 'question')).toEqual([200]);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(whileReadOnly).toEqual({
      status: 503,
      can: { capture: false, answer: true },
      postgres: { ok: false, detail: expect.stringContaining('set default_transaction_read_only to off') },
    });
    expect(service.output()).toContain('PostgreSQL is read-only: DATABASE_URL must name a primary');
    expect(service.output()).not.toContain(personalText);
  });

  it('whose connections others have taken makes the service answer 503 until one is free', async () => {
    const { url, admin, newConnection } = await postgresServer();
    const { service, traffic } = await startWithTraffic(closing, await folder(), { DATABASE_URL: url.href });
    const others: Client[] = [];
    const isHeldByService = async () =>
      (await admin.query(`SELECT FROM pg_stat_activity WHERE application_name = 'kohort'`)).rows.length > 0;
    do {
      await admin.query(cutService);
      for (let isFull = false; !isFull;) {
        await newConnection().then(
          (client) => others.push(client),
          () => (isFull = true),
        );
      }
      // Slots that the service took meanwhile are taken in the next turn.
    } while (await isHeldByService());
    const replies = await traffic.go(15);
    for (const other of others) await other.end();
    const tookMs = await traffic.untilRight();
    expectRefusals(replies, 'The database has no free connection at the moment');
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).toContain('raise its max_connections, or lower DATABASE_POOL_SIZE');
    expect(service.output()).not.toContain(personalText);
  });
});

describe('a link to PostgreSQL', () => {
  it('that falls silent under traffic costs 503, and no event', async () => {
    const { url } = await postgresServer();
    const link = await FaultyLink.to(url);
    closing(() => link.close());
    const { service, traffic } = await startWithTraffic(closing, await folder(), { DATABASE_URL: link.url.href });
    const going = traffic.go(30, { pauseMs: 10 });
    for (let times = 0; times < 2; times += 1) {
      await sleep(300);
      await link.set('silent');
      await sleep(2_500);
      await link.set('none');
    }
    const replies = await going;
    const tookMs = await traffic.untilRight();
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(statusesOf(replies, 'capture')).toEqual([200, 503]);
    expect(slowest(replies)).toBeLessThan(answeredWithinMs);
    expect(tookMs).toBeLessThan(backWithinMs);
    expect(service.output()).not.toContain(personalText);
  });
});

describe('a folder', () => {
  onDisks('that is mounted read-only is refused with one line', async () => {
    const disk = await SmallDisk.at(join(await folder(), 'disk'), 300);
    closing(() => disk.unmount());
    const dataDir = join(disk.path, 'data');
    await terminate(await start({ DATA_DIR: dataDir }));
    disk.mountAs('ro');
    const service = await launch({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
    expect((await service.exited).code).toBe(1);
    expect(service.output().trim()).toBe(
      `DATA_DIR ${dataDir} is on a file system that is mounted read-only: name another folder`,
    );
  });
});
