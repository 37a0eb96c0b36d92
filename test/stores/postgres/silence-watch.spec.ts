import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyLink } from '../../support/faulty-link.js';
import { freshStores } from '../../support/fresh-stores.js';
import { PgConnection } from '../../../src/platform/postgres/connection.js';
import { PatientPool } from '../../../src/platform/postgres/patient-pool.js';
import { surviveLostConnections } from '../../../src/platform/postgres/silence-watch.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let link: FaultyLink;
let pool: PatientPool;

beforeAll(async () => {
  stores = await freshStores();
});
afterAll(() => stores.remove());
beforeEach(async () => {
  link = await FaultyLink.to(stores.databaseUrl);
  pool = new PatientPool({
    connectionString: link.url.href,
    max: 2,
    connectionTimeoutMillis: 5_000,
    Client: PgConnection,
  });
  pool.on('error', () => undefined);
  surviveLostConnections(pool);
  await pool.query('SELECT 1');
});
afterEach(async () => {
  await link.close();
  await pool.end();
});

/** Longer than the whole time after which a silent server is noticed. */
const long = 'SELECT pg_sleep(2)';

describe('a pool before callers wait for it', () => {
  it('waits for a server that is too busy to answer new connections, as at a start', async () => {
    const statement = pool.query(long);
    await link.set('crowded');
    await expect(statement).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('a pool', () => {
  beforeEach(() => pool.expectCallers());

  it('fails the statements of a server that falls silent, and goes on with the server', async () => {
    const statement = pool.query(long);
    await sleep(100);
    await link.set('silent');
    const begun = performance.now();
    await expect(statement).rejects.toThrow('PostgreSQL does not answer');
    expect(performance.now() - begun).toBeLessThan(1_800);
    await link.set('none');
    expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  });

  it('waits for a server whose statements take long, also when they take all connections', async () => {
    const statements = [pool.query(long), pool.query(long), pool.query(long)];
    expect((await Promise.allSettled(statements)).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
  });

  it('waits for a server that answers something, even though it is silent on new connections', async () => {
    const [busy, other] = [await pool.connect(), await pool.connect()];
    const statement = busy.query(long);
    await sleep(100);
    await link.set('crowded');
    for (let turn = 0; turn < 10; turn += 1) await Promise.all([other.query('SELECT 1'), sleep(200)]);
    await expect(statement).resolves.toMatchObject({ rowCount: 1 });
    for (const client of [busy, other]) client.release();
  });
});
