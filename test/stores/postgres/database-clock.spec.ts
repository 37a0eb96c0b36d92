import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { DatabaseClock } from '../../../src/platform/postgres/database-clock.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const timeOfDatabase = async (): Promise<number> => {
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now.getTime() ?? 0;
};

describe('the clock of the database', () => {
  it.each([0, 120_000, -120_000])('is right in a process whose own clock is off by %d ms', async (off) => {
    const now = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + off);
    const clock = new DatabaseClock(pool);
    await clock.start();
    for (let look = 0; look < 5; look += 1) {
      const [before, seen, after] = [await timeOfDatabase(), clock.now().getTime(), await timeOfDatabase()];
      expect(seen).toBeGreaterThanOrEqual(before - clock.toleranceMs);
      expect(seen).toBeLessThanOrEqual(after + clock.toleranceMs);
      await sleep(20);
    }
    expect(Math.abs(clock.aheadMs - off)).toBeLessThan(clock.toleranceMs);
    expect(clock.toleranceMs).toBeLessThan(500);
  });

  it('does not go back', async () => {
    const clock = new DatabaseClock(pool);
    await clock.start();
    let before = 0;
    for (let round = 0; round < 20; round += 1) {
      await clock.start();
      const seen = clock.now().getTime();
      expect(seen).toBeGreaterThanOrEqual(before);
      before = seen;
    }
  });
});
