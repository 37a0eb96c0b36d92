import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startClickHouseServer, type ClickHouseServer } from '../../support/clickhouse/server.mjs';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable } from '../../../src/platform/clickhouse/errors.js';
import { sql } from '../../../src/platform/clickhouse/sql.js';

const silent = { info: () => undefined };

describe('a ClickHouse server that goes away', () => {
  let folder: string;
  let server: ClickHouseServer;
  let clickhouse: ClickHouse;

  const answers = async () => (await clickhouse.query(sql`SELECT 1 AS x`, { project: 'system' })).length === 1;
  const failure = async (work: Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
    const start = Date.now();
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return { error, ms: Date.now() - start };
  };
  const expectOutage = async (work: Promise<unknown>) => {
    const { error, ms } = await failure(work);
    expect(error).toBeInstanceOf(ClickHouseUnavailable);
    expect(ms).toBeLessThan(2_000);
  };

  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'kohort-clickhouse-'));
    server = await startClickHouseServer({ path: folder, password: 'secret' });
    clickhouse = await ClickHouse.open({ url: new URL('/kohort', server.url), cluster: null }, silent);
    await clickhouse.createDatabase();
    await clickhouse.command(sql`CREATE TABLE t (a Int32) ENGINE = MergeTree ORDER BY a`);
  });

  afterAll(async () => {
    await clickhouse.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is noticed within two seconds when it stops answering, also by a question that may run for long', async () => {
    const question = sql`SELECT sleepEachRow(1) FROM numbers(20) SETTINGS max_block_size = 1`;
    const running = failure(clickhouse.query(question, { project: 'system', timeoutMs: 25_000 }));
    await sleep(700);
    process.kill(server.pid, 'SIGSTOP');
    const frozenAt = Date.now();
    try {
      await Promise.all([
        expectOutage(clickhouse.query(sql`SELECT 1`, { project: 'system' })),
        expectOutage(clickhouse.insert('t', [{ a: 1 }])),
        expectOutage(clickhouse.command(sql`OPTIMIZE TABLE t`)),
      ]);
      expect((await running).error).toBeInstanceOf(ClickHouseUnavailable);
      expect(Date.now() - frozenAt).toBeLessThan(2_500);
      expect(await clickhouse.ping(300)).toBe(false);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    expect(await answers()).toBe(true);
  });

  it('is noticed within two seconds by more questions than there are connections', async () => {
    process.kill(server.pid, 'SIGSTOP');
    try {
      const questions = Array.from({ length: 20 }, () => clickhouse.query(sql`SELECT 1`, { project: { id: 1 } }));
      await Promise.all(questions.map(expectOutage));
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    expect(await answers()).toBe(true);
  });

  it('is noticed at once when it is gone, and used again when it is back', async () => {
    const { port } = server.url;
    const running = failure(clickhouse.query(sql`SELECT sleep(3)`, { project: 'system' }));
    await sleep(200);
    await server.close();
    expect((await running).error).toBeInstanceOf(ClickHouseUnavailable);
    await expectOutage(clickhouse.query(sql`SELECT 1`, { project: 'system' }));
    await expectOutage(clickhouse.insert('t', [{ a: 1 }]));
    await expectOutage(ClickHouse.open({ url: server.url, cluster: null }, silent));
    expect(await clickhouse.ping(1_000)).toBe(false);
    server = await startClickHouseServer({ path: folder, port: Number(port), password: 'secret' });
    expect(await clickhouse.ping(1_000)).toBe(true);
    expect(await answers()).toBe(true);
    await clickhouse.insert('t', [{ a: 2 }]);
  });

  it('is distinguished from one that refuses the password', async () => {
    const url = new URL(server.url);
    url.password = 'wrong';
    const { error } = await failure(ClickHouse.open({ url, cluster: null }, silent));
    expect(error).toBeInstanceOf(ClickHouseMisconfigured);
    expect(String(error)).not.toContain('wrong');
  });
});
