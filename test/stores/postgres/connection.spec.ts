import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Pool, type PoolClient } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { PgConnection } from '../../../src/platform/postgres/connection.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let client: PoolClient;

beforeAll(async () => {
  stores = await freshStores();
});
afterAll(() => stores.remove());
beforeEach(async () => {
  const options = { connectionString: stores.databaseUrl.href, max: 2, pipeline: true, Client: PgConnection };
  pool = new Pool(options);
  pool.on('error', () => undefined);
  client = await pool.connect();
  client.on('error', () => undefined);
});
afterEach(async () => {
  client.release(true);
  await pool.end();
});

const patient = (text: string, query_timeout: number) => ({ text, query_timeout }) as { text: string };

describe('a connection', () => {
  it('answers promises and callbacks, texts and questions by name, with values at either place', async () => {
    const one = async (query: Promise<{ rows: unknown[] }>) => (await query).rows[0];
    const text = 'SELECT $1::int + 1 AS sum';
    expect(await one(client.query('SELECT 2 AS sum'))).toEqual({ sum: 2 });
    expect(await one(client.query(text, [2]))).toEqual({ sum: 3 });
    expect(await one(pool.query({ name: 'sum', text, values: [3] }))).toEqual({ sum: 4 });
    expect(await one(client.query({ name: 'sum', text }, [4]))).toEqual({ sum: 5 });
    const called = new Promise<unknown[]>((resolve) => {
      client.query(text, [5], (_, { rows }) => resolve(rows));
    });
    const calledWithout = new Promise<unknown[]>((resolve) => {
      client.query('SELECT 7 AS sum', (_, { rows }) => resolve(rows));
    });
    expect([await called, await calledWithout]).toEqual([[{ sum: 6 }], [{ sum: 7 }]]);
  });

  it('says what was wrong with a statement, and answers the next', async () => {
    await expect(client.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' });
    await expect(client.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('gives a statement up that is not answered in time, with all that waits behind it', async () => {
    const [slow, next] = await Promise.allSettled([
      client.query(patient('SELECT pg_sleep(30)', 200)),
      client.query('SELECT 1'),
    ]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } });
    expect(next).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching('terminated') } });
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('is not abandoned for a statement that was answered', async () => {
    await client.query(patient('SELECT 1', 100));
    await sleep(200);
    await expect(client.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('leaves results to the short rounds of the garbage collector', async () => {
    const flags = ['--max-semi-space-size=1', '--input-type=module', '--eval'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, asking, stores.databaseUrl.href]);
    // With the driver's own promises it is 20 MB.
    expect(Number(stdout) / 1e6).toBeLessThan(8);
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});

/** Runs in a process of its own, because garbage of other tests on the heap is collected late as well. */
const asking = `
  import { Pool } from 'pg';
  import { PgConnection } from './dist/src/platform/postgres/connection.js';
  const pool = new Pool({ connectionString: process.argv[1], max: 2, pipeline: true, Client: PgConnection });
  const client = await pool.connect();
  const text = "SELECT n, repeat('x', 300) AS t, n::text AS u FROM generate_series(1, 300) AS n";
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  for (let n = 0; n < 1000; n += 1) {
    await (n % 2 ? client : pool).query({ name: 'rows', text });
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  process.stdout.write(String(most));
  client.release();
  await pool.end();
`;
