import { describe, expect, it } from '@jest/globals';
import { ClickHouseUnavailable } from './errors.js';
import { Pool } from './pool.js';

const patient = { short: false, waitMs: 5_000 };
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('a pool', () => {
  it('keeps a connection free of long statements', async () => {
    const pool = new Pool(['a', 'b'], { keptForShort: 1 });
    await pool.acquire(patient);
    let second = false;
    const waiting = pool.acquire(patient).then(() => (second = true));
    const short = await pool.acquire({ ...patient, short: true });
    short.release();
    await soon();
    expect(second).toBe(false);
    pool.close();
    await expect(waiting).rejects.toThrow(/closed/);
  });

  it('serves in order of arrival and gives a connection back once', async () => {
    const pool = new Pool(['only']);
    const first = await pool.acquire(patient);
    const order: string[] = [];
    const take = async (name: string) => {
      const lease = await pool.acquire(patient);
      order.push(name);
      await soon();
      lease.release();
      lease.release();
    };
    const all = [take('second'), take('third'), take('fourth')];
    first.release();
    first.release();
    await Promise.all(all);
    expect(order).toEqual(['second', 'third', 'fourth']);
  });

  it('turns away who would wait too long or in too long a queue', async () => {
    const pool = new Pool(['only'], { maxWaiting: 1 });
    await pool.acquire(patient);
    const waiting = pool.acquire({ ...patient, waitMs: 20 });
    await expect(pool.acquire(patient)).rejects.toThrow(ClickHouseUnavailable);
    await expect(waiting).rejects.toThrow(/busy/);
  });

  it('forgets who aborts while waiting', async () => {
    const pool = new Pool(['only']);
    const first = await pool.acquire(patient);
    const abort = new AbortController();
    const waiting = pool.acquire({ ...patient, signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    first.release();
    await expect(pool.acquire(patient)).resolves.toMatchObject({ connection: 'only' });
  });

  it('sends the waiting away when it closes', async () => {
    const pool = new Pool(['only']);
    await pool.acquire(patient);
    const waiting = pool.acquire(patient);
    pool.close();
    await expect(waiting).rejects.toThrow(/closed/);
    await expect(pool.acquire(patient)).rejects.toThrow(/closed/);
  });
});
