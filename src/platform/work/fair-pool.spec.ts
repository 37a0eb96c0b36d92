import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairPool, type FairPoolOptions, type PoolLease, type Owner } from './fair-pool.js';

const soon = () => new Promise((resolve) => setImmediate(resolve));
const poolOf = (resources: readonly string[], options: Partial<FairPoolOptions> = {}) =>
  new FairPool(resources, { busy: () => new Error('busy'), closed: () => new Error('closed'), ...options });
const patient = { owner: 1, waitMs: 5_000 };

describe('a fair pool', () => {
  it('keeps a resource free of long turns', async () => {
    const pool = poolOf(['a', 'b'], { reservedForShort: 1 });
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

  it('says how it is used', async () => {
    const pool = poolOf(['a', 'b', 'c'], { share: { alone: 2, crowded: 1 } });
    const lease = await pool.acquire(patient);
    await pool.acquire(patient);
    const waiting = pool.acquire(patient);
    expect(pool.use).toEqual({ used: 2, idle: 1, waiting: 1 });
    lease.release();
    await waiting;
    expect(pool.use).toEqual({ used: 2, idle: 1, waiting: 0 });
  });

  it('serves one owner in order of arrival and takes a resource back once', async () => {
    const pool = poolOf(['only']);
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

  it('alternates between owners, however many turns one of them waits for', async () => {
    // The first lease is given before another owner exists.
    const pool = poolOf(['only']);
    const order: Owner[] = [];
    const take = async (owner: Owner) => {
      const lease = await pool.acquire({ owner, waitMs: 5_000 });
      order.push(owner);
      await soon();
      lease.release();
    };
    await Promise.all([...[1, 1, 1, 1, 1, 1], ...[2, 2], 3].map(take));
    expect(order).toEqual([1, 1, 2, 3, 1, 2, 1, 1, 1]);
  });

  it('gives one owner no more than its share, and less while others are active', async () => {
    const pool = poolOf(['a', 'b', 'c'], { share: { alone: 2, crowded: 1 } });
    const leases: PoolLease<string>[] = [];
    const take = (owner: Owner) => pool.acquire({ owner, waitMs: 200 }).then((lease) => (leases.push(lease), owner));
    await Promise.all([take(1), take(1)]);
    await expect(take(1)).rejects.toThrow('busy');
    expect(leases.map(({ isCrowded }) => isCrowded)).toEqual([false, false]);
    await expect(take(2)).resolves.toBe(2);
    expect(leases.at(-1)?.isCrowded).toBe(true);
    leases[0]?.release();
    // Owner 1 still holds one resource, which is its maximum beside another owner.
    await expect(take(1)).rejects.toThrow('busy');
    await expect(take(3)).resolves.toBe(3);
  });

  it('counts short turns apart, so that an owner with long ones can still look something up', async () => {
    const pool = poolOf(['a', 'b', 'c'], { share: { alone: 1, crowded: 1 }, reservedForShort: 1 });
    await pool.acquire(patient);
    await pool.acquire({ ...patient, short: true });
    await expect(pool.acquire({ ...patient, short: true, waitMs: 20 })).rejects.toThrow('busy');
    await expect(pool.acquire({ owner: 2, waitMs: 20 })).resolves.toMatchObject({ resource: 'a' });
  });

  it('does not make a project share with the work of the service', async () => {
    const pool = poolOf(['a', 'b', 'c'], { share: { alone: 2, crowded: 1 } });
    await pool.acquire({ owner: 'system', waitMs: 20 });
    await pool.acquire(patient);
    await expect(pool.acquire(patient)).resolves.toMatchObject({ isCrowded: false });
  });

  it('signals to the turns that began alone that another project is active, and to no others', async () => {
    const pool = poolOf(['a', 'b', 'c', 'd']);
    const alone = await pool.acquire(patient);
    await pool.acquire(patient);
    await pool.acquire({ owner: 'system', waitMs: 20 });
    expect(alone.crowding.aborted).toBe(false);
    const other = await pool.acquire({ owner: 2, waitMs: 20 });
    expect([alone, other].map(({ crowding }) => crowding.aborted)).toEqual([true, false]);
  });

  it('puts a turn that was stopped before the others of its owner', async () => {
    const pool = poolOf(['only']);
    const lease = await pool.acquire(patient);
    const order: string[] = [];
    const take = async (name: string, isAgain: boolean) => {
      const { release } = await pool.acquire({ ...patient, isAgain });
      order.push(name);
      release();
    };
    const all = [take('first come', false), take('again', true)];
    lease.release();
    await Promise.all(all);
    expect(order).toEqual(['again', 'first come']);
  });

  it('tells owners with long turns from those with many short ones', async () => {
    const pool = poolOf(['a', 'b']);
    const use = async (owner: Owner, ms: number) => {
      const lease = await pool.acquire({ owner, waitMs: 1_000 });
      if (ms > 0) await sleep(ms);
      lease.release();
      return lease.isHeavy;
    };
    expect(await use(1, 1_800)).toBe(false);
    for (let round = 0; round < 100; round += 1) await use(2, 0);
    expect([await use(1, 0), await use(2, 0)]).toEqual([true, false]);
  });

  it('lets few heavy owners go at a time while a light one is active, and all of them otherwise', async () => {
    const pool = poolOf(['a', 'b', 'c'], { heavyAtATime: 1 });
    const take = (owner: Owner, more = {}) => pool.acquire({ owner, waitMs: 50, ...more });
    const first = await take(1, { isAgain: true });
    expect(first.isHeavy).toBe(true);
    await sleep(1_600);
    // Owner 2 is new, and light.
    const second = await take(2);
    await expect(take(3, { isAgain: true })).rejects.toThrow('busy');
    const waiting = take(3, { isAgain: true, waitMs: 5_000 });
    await expect(take(4)).resolves.toMatchObject({ resource: 'a' });
    // Its lease has become long meanwhile.
    first.release();
    await expect(waiting).resolves.toMatchObject({ isHeavy: true });
    second.release();
  });

  it('gives light owners a turn while turns that became heavy hold all others', async () => {
    const pool = poolOf(['a', 'b', 'c', 'short'], { heavyAtATime: 1, reservedForShort: 1, spare: 1 });
    const take = (owner: Owner) => pool.acquire({ owner, waitMs: 50 });
    await Promise.all([take(1), take(2)]);
    await expect(take(3)).rejects.toThrow('busy');
    // Nothing ends meanwhile.
    const light = await pool.acquire({ owner: 3, waitMs: 3_000 });
    await expect(take(4)).rejects.toThrow('busy');
    light.release();
    await expect(take(1)).rejects.toThrow('busy');
    await expect(pool.acquire({ owner: 4, short: true, waitMs: 50 })).resolves.toBeDefined();
    await expect(take(4)).resolves.toMatchObject({ isHeavy: false });
  });

  it('takes little processor time for many who wait', async () => {
    const pool = poolOf(['a', 'b', 'c', 'short'], { heavyAtATime: 1, reservedForShort: 1, spare: 1 });
    // Longer than a busy machine keeps this process waiting.
    const leases = Array.from({ length: 30 * 64 }, (_, n) => pool.acquire({ owner: n % 30, waitMs: 120_000 }));
    await sleep(300);
    const before = process.cpuUsage();
    await sleep(1_000);
    const { user, system } = process.cpuUsage(before);
    pool.close();
    await Promise.allSettled(leases);
    expect((user + system) / 1000).toBeLessThan(200);
  });

  it('does not hold heavy owners back beside heavy ones, nor beside the work of the service', async () => {
    const pool = poolOf(['a', 'b', 'c', 'd'], { heavyAtATime: 1 });
    const leases = [await pool.acquire({ owner: 1, waitMs: 50 }), await pool.acquire({ owner: 2, waitMs: 50 })];
    await sleep(1_600);
    leases.push(await pool.acquire({ owner: 'system', waitMs: 50 }));
    await expect(pool.acquire({ owner: 1, waitMs: 50 })).resolves.toMatchObject({ isHeavy: true });
    for (const lease of leases) lease.release();
  });

  it('refuses who would wait too long, or in too long a queue of the same owner', async () => {
    const pool = poolOf(['only'], { maxWaiting: 1 });
    await pool.acquire(patient);
    const started = Date.now();
    const waiting = pool.acquire({ ...patient, waitMs: 100 });
    await expect(pool.acquire(patient)).rejects.toThrow('busy');
    expect(Date.now() - started).toBeLessThan(90);
    const other = pool.acquire({ owner: 2, waitMs: 100 });
    await expect(waiting).rejects.toThrow('busy');
    await expect(other).rejects.toThrow('busy');
  });

  it('gives to who comes when something is free, with a queue of none', async () => {
    const pool = poolOf(['only'], { maxWaiting: 0 });
    const lease = await pool.acquire(patient);
    await expect(pool.acquire(patient)).rejects.toThrow('busy');
    lease.release();
    await expect(pool.acquire(patient)).resolves.toMatchObject({ resource: 'only' });
  });

  it('forgets who aborts while waiting', async () => {
    const pool = poolOf(['only']);
    const first = await pool.acquire(patient);
    const abort = new AbortController();
    const waiting = pool.acquire({ ...patient, signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    first.release();
    await expect(pool.acquire(patient)).resolves.toMatchObject({ resource: 'only' });
  });

  it('refuses those who wait when it closes', async () => {
    const pool = poolOf(['only']);
    await pool.acquire(patient);
    const waiting = pool.acquire({ ...patient, owner: 2 });
    pool.close();
    await expect(waiting).rejects.toThrow(/closed/);
    await expect(pool.acquire(patient)).rejects.toThrow(/closed/);
  });
});
