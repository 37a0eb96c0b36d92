import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshStores } from '../../support/fresh-stores.js';
import { PatientPool } from '../../../src/platform/postgres/patient-pool.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: PatientPool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new PatientPool({ connectionString: stores.databaseUrl.href, max: 1, connectionTimeoutMillis: 150 });
  await pool.query('SELECT 1');
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});

describe('a pool', () => {
  it('waits beyond its time-out while the server answers others', async () => {
    const tasks = Array.from({ length: 8 }, async () => {
      const client = await pool.connect();
      await sleep(100);
      client.release();
    });
    expect((await Promise.allSettled(tasks)).map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
  });

  it('gives up at its time-out when the server answers no one', async () => {
    const client = await pool.connect();
    const started = performance.now();
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded');
    expect(performance.now() - started).toBeLessThan(2_000);
    client.release();
    expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  });
});
