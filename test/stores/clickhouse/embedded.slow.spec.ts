import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryShares } from '../../../src/platform/config/memory-shares.js';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../../src/platform/clickhouse/errors.js';
import { sql, text } from '../../../src/platform/clickhouse/sql.js';
import { startFault } from '../../../src/platform/clickhouse/embedded/embedded.js';
import { startEngine } from '../../../src/platform/clickhouse/embedded/engine-process.js';
import { engineArguments } from '../../../src/platform/clickhouse/embedded/settings.js';

/** Hours of work on a single row, in which the engine looks at no limit and at no KILL. */
const endless = sql`SELECT ${text('ada@example.org')}, arrayLevenshteinDistance(range(2000000), arrayReverse(range(2000000))) AS n`;

let folder: string;
let clickhouse: ClickHouse;
const logged: object[] = [];

const logger = {
  info: () => undefined,
  error: (first: object | string, message?: string) => void logged.push({ ...(first as object), message }),
};
const one = async () => (await clickhouse.query<{ x: number }>(sql`SELECT 1 AS x`, { project: { id: 2 } }))[0]?.x;

/** Reads the settings that the process of the engine was started with. */
const settings = () => readFile(join(folder, 'clickhouse-settings.xml'), 'utf8');
const elementOf = (xml: string, name: string): string => new RegExp(`<${name}>(.*?)</${name}>`).exec(xml)?.[1] ?? '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-embedded-'));
  clickhouse = await ClickHouse.open({ embeddedPath: join(folder, 'clickhouse') }, logger as never);
  await clickhouse.command(sql`CREATE TABLE things (id UInt32) ENGINE = MergeTree ORDER BY id
    SETTINGS non_replicated_deduplication_window = 100, fsync_after_insert = 1`);
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a statement that the engine cannot stop', () => {
  it('ends with the process of the engine five seconds after its limit; what else runs is repeated', async () => {
    const begun = Date.now();
    const culprit = clickhouse
      .query(endless, { project: { id: 7 }, timeoutMs: 1_000 })
      .catch((error: unknown) => error);
    expect(await culprit).toBeInstanceOf(QueryTooExpensive);
    expect(Date.now() - begun).toBeLessThan(4_000);
    await sleep(Math.max(0, begun + 5_000 - Date.now()));
    const slow = sql`SELECT sum(sleepEachRow(0.1)) AS slept FROM numbers(30) SETTINGS max_block_size = 1`;
    const innocent = clickhouse.query(slow, { project: { id: 2 } });
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    const tokens = new Set<string>();
    for (let insert = 0; Date.now() - begun < 8_000; insert += 1) {
      const deduplicationToken = `shipment ${insert % 3}`;
      await clickhouse.insert('things', rows, { deduplicationToken });
      tokens.add(deduplicationToken);
      expect(await one()).toBe(1);
    }
    expect(await innocent).toEqual([{ slept: 0 }]);
    const ended = logged.find((entry) => 'statement' in entry);
    expect(ended).toMatchObject({ project: 7, message: expect.stringContaining('could not be stopped') });
    expect(JSON.stringify(ended)).toContain('arrayLevenshteinDistance');
    expect(JSON.stringify(ended)).not.toContain('ada@');
    const counted = sql`SELECT count() AS n FROM things`;
    expect(await clickhouse.query(counted, { project: 'system' })).toEqual([{ n: 1_000 * tokens.size }]);
  });

  it('keeps its project from SQL for a while when it happens three times in ten minutes', () => {
    expect(() => clickhouse.runaways.assertFew(7)).not.toThrow();
    for (let more = 0; more < 2; more += 1) clickhouse.runaways.record(7);
    expect(() => clickhouse.runaways.assertFew(7)).toThrow(/could not be stopped/);
    expect(() => clickhouse.runaways.assertFew(2)).not.toThrow();
  });
});

it('a port that another process took is no damage of the folder', async () => {
  const path = join(folder, 'other');
  await mkdir(path);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const access = { port, user: 'kohort', password: 'secret', database: 'kohort' };
  const options = { engineArguments: await engineArguments(path, memoryShares(), access), releasesLibrary: false };
  const engine = startEngine(path, options, {});
  const fault = startFault(path, await engine.exited);
  taken.close();
  expect(fault.message).toMatch(/cannot listen .*already in use/);
  expect(startFault(path, 'anything else').message).toMatch(/cannot open/);
});

describe('the entrance of the engine', () => {
  const ask = async (query: string, headers: Record<string, string>) => {
    const port = elementOf(await settings(), 'http_port');
    const url = new URL(`http://127.0.0.1:${port}/`);
    const answer = await fetch(url, { method: 'POST', body: query, headers });
    return { status: answer.status, body: await answer.text() };
  };
  const basic = (user: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });

  it.each([
    ['nobody', {}],
    ['the user of the engine itself', basic('default', '')],
    ['another password', basic('kohort', 'guessed')],
    ['the user of the engine by its own headers', { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': '' }],
  ])('is closed to %s', async (_, headers) => {
    expect((await ask('SELECT 1', headers)).status).toBe(404);
  });

  it('opens for the service to its tables, and to no file, address or other database', async () => {
    const headers = { Authorization: elementOf(await settings(), 'Authorization') };
    expect(await ask('SELECT 1', headers)).toMatchObject({ status: 200, body: '1\n' });
    for (const refused of [
      `SELECT * FROM file('/etc/passwd', 'LineAsString', 'line String')`,
      `SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString', 'line String')`,
      `SELECT * FROM remote('127.0.0.1:1', system.one)`,
      `INSERT INTO FUNCTION file('/tmp/written-by-the-engine', 'CSV', 'x String') VALUES ('x')`,
      'CREATE DATABASE other',
      'CREATE USER other',
      'SYSTEM SHUTDOWN',
    ]) {
      const answer = await ask(refused, headers);
      expect([refused, answer.body]).toEqual([refused, expect.stringContaining('ACCESS_DENIED')]);
    }
  });
});
