import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { forgetLeases, isHeldUntil, Lease, LeaseLost } from '../../../src/platform/postgres/lease.js';
import { pgSql } from '../../../src/platform/postgres/sql.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
beforeEach(() => pool.query('DELETE FROM leases'));

describe('a lease', () => {
  it('belongs to one of many that want it at once', async () => {
    const leases = Array.from({ length: 8 }, () => new Lease(pool, 'work'));
    const taken = await Promise.all(leases.map((lease) => lease.acquire()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(leases.map(({ isValid }) => isValid)).toEqual(taken);
    await Promise.all(leases.map((lease) => lease.release()));
  });

  it('of another name is free', async () => {
    const [one, other] = [new Lease(pool, 'one'), new Lease(pool, 'other')];
    expect([await one.acquire(), await other.acquire()]).toEqual([true, true]);
    await Promise.all([one.release(), other.release()]);
  });

  it('is kept by its heartbeat, and free as soon as it is released', async () => {
    const [holder, other] = [new Lease(pool, 'work', { ttlMs: 1500 }), new Lease(pool, 'work')];
    await holder.acquire();
    await sleep(3500);
    expect([holder.isValid, await other.acquire()]).toEqual([true, false]);
    await holder.release();
    expect([holder.isValid, await other.acquire()]).toEqual([false, true]);
    await other.release();
  });

  it('stays released when a renewal was under way', async () => {
    const lease = new Lease(pool, 'work');
    for (let n = 0; n < 20; n += 1) {
      await lease.acquire();
      const renewal = lease.renew();
      await lease.release();
      await renewal;
      expect(lease.isValid).toBe(false);
    }
  });

  it('of a dead holder is taken over when it expires, and the holder notices if it was not dead', async () => {
    const [dead, other] = [new Lease(pool, 'work'), new Lease(pool, 'work')];
    await dead.acquire();
    await pool.query(`UPDATE leases SET expires_at = clock_timestamp() + interval '1 second'`);
    expect(await other.acquire()).toBe(false);
    await pool.query('UPDATE leases SET expires_at = clock_timestamp()');
    expect(await other.acquire()).toBe(true);
    expect(await dead.renew()).toBe(false);
    expect(dead.isValid).toBe(false);
    expect(() => dead.check()).toThrow(LeaseLost);
    await other.release();
  });

  it('that expires later than any lease lasts is free, because the clock was set back', async () => {
    const [dead, other] = [new Lease(pool, 'work'), new Lease(pool, 'work')];
    await dead.acquire();
    await pool.query(`UPDATE leases SET expires_at = clock_timestamp() + interval '1 hour'`);
    const held = pgSql`SELECT FROM leases WHERE ${isHeldUntil(pgSql`expires_at`)}`;
    expect((await pool.query(held)).rowCount).toBe(0);
    expect(await other.acquire()).toBe(true);
    expect((await pool.query(held)).rowCount).toBe(1);
    expect(await dead.renew()).toBe(false);
    await other.release();
  });

  it('is taken at once by the only process that can hold it', async () => {
    const dead = new Lease(pool, 'work');
    await dead.acquire();
    const next = new Lease(pool, 'work', { sole: true });
    expect(await next.acquire()).toBe(true);
    await next.release();
    await dead.release();
  });

  it('that was confirmed stays until the end of the transaction', async () => {
    const [holder, other] = [new Lease(pool, 'work'), new Lease(pool, 'work')];
    await holder.acquire();
    await pool.query('UPDATE leases SET expires_at = clock_timestamp()');
    const client = await pool.connect();
    await client.query('BEGIN');
    await holder.confirm(client);
    const taking = other.acquire();
    expect(await Promise.race([taking, sleep(100, 'waits')])).toBe('waits');
    await client.query('COMMIT');
    expect(await taking).toBe(true);
    await expect(holder.confirm(client)).rejects.toThrow(LeaseLost);
    client.release();
    await other.release();
  });

  it('of a holder that has gone is forgotten some time after it expired, or at once, by the beginning of its name', async () => {
    await pool.query(`INSERT INTO leases (name, holder, expires_at) VALUES
      ('ship 1', gen_random_uuid(), clock_timestamp() - interval '2 hours'),
      ('ship 2', gen_random_uuid(), clock_timestamp() - interval '1 minute'),
      ('ship 3', gen_random_uuid(), clock_timestamp() + interval '1 minute'),
      ('other', gen_random_uuid(), clock_timestamp() - interval '2 hours')`);
    const names = async () =>
      (await pool.query<{ name: string }>('SELECT name FROM leases ORDER BY name')).rows.map(({ name }) => name);
    await forgetLeases(pool, { prefix: 'ship ', expiredForMs: 3_600_000 });
    expect(await names()).toEqual(['other', 'ship 2', 'ship 3']);
    await forgetLeases(pool, { prefix: 'ship ', expiredForMs: null });
    expect(await names()).toEqual(['other']);
  });
});
