import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { newWorkers } from '../../support/workers.js';
import { type Postgres } from '../../../src/platform/postgres/postgres.js';
import { RateWindows } from '../../../src/auth/limits/rate-windows.js';
import { SharedLimiter } from '../../../src/auth/limits/shared-limiter.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let windows: RateWindows;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 4 });
  windows = new RateWindows(newWorkers(), pool as unknown as Postgres);
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
beforeEach(() => pool.query('DELETE FROM rate_windows'));

/** As several processes have it. */
const limiters = (processes: number, limit: number, allotment: number, windowMs = 60_000): SharedLimiter[] =>
  Array.from({ length: processes }, () => new SharedLimiter(windows, { policy: 'user', limit, windowMs, allotment }));

const taken = async (many: readonly SharedLimiter[], times: number, name = 'ada') => {
  const states = await Promise.all(
    Array.from({ length: times }, (_, n) => (many[n % many.length] as SharedLimiter).take(name, Date.now())),
  );
  return states.filter(({ exceeded }) => !exceeded).length;
};

describe('a limit that processes share', () => {
  it.each([1, 7, 50])('passes no more than the limit, by allotments of %d', async (allotment) => {
    const three = limiters(3, 100, allotment);
    expect(await taken(three, 300)).toBe(100);
    expect(await taken(three, 30)).toBe(0);
    expect(await taken(three.slice(0, 1), 30, 'bob')).toBe(30);
  });

  it('says what is left for all, and when the window ends', async () => {
    const [one, other] = limiters(2, 10, 2);
    expect(await one?.take('ada', Date.now())).toEqual({ limit: 10, remaining: 9, resetSeconds: 60, exceeded: false });
    expect(await other?.take('ada', Date.now())).toMatchObject({ remaining: 7, exceeded: false });
    expect(other?.usedUpFor('ada', Date.now())).toBeNull();
    await taken([one as SharedLimiter, other as SharedLimiter], 20);
    expect(await one?.take('ada', Date.now())).toMatchObject({ remaining: 0, exceeded: true });
    expect(one?.usedUpFor('ada', Date.now())).toMatchObject({ remaining: 0, exceeded: false });
  });

  it('begins again when the window has ended', async () => {
    const two = limiters(2, 4, 1, 300);
    expect(await taken(two, 10)).toBe(4);
    await sleep(350);
    expect(await taken(two, 10)).toBe(4);
  });

  it('begins again when it ends later than any, because the clock was set back', async () => {
    const two = limiters(2, 4, 1);
    expect(await taken(two, 10)).toBe(4);
    await pool.query(`UPDATE rate_windows SET ends_at = ends_at + interval '1 hour'`);
    expect(await taken(limiters(2, 4, 1), 10)).toBe(4);
  });

  it('counts an attempt no longer that was given back', async () => {
    const [one, other] = limiters(2, 3, 1);
    for (let n = 0; n < 10; n += 1) {
      expect(await one?.take('ada', Date.now())).toMatchObject({ exceeded: false });
      await one?.giveBack('ada');
    }
    expect(await taken([other as SharedLimiter], 10)).toBe(3);
  });

  it('bears another limit of another process', async () => {
    expect(await taken(limiters(1, 100, 1), 50)).toBe(50);
    expect(await taken(limiters(1, 10, 1), 50)).toBe(0);
  });

  it('is forgotten after its window', async () => {
    await taken(limiters(1, 5, 1, 50), 5);
    await taken(limiters(1, 5, 1), 5, 'bob');
    await sleep(80);
    await windows.sweep();
    expect((await pool.query('SELECT name FROM rate_windows')).rows).toEqual([{ name: 'bob' }]);
  });
});
