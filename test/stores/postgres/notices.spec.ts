import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { silentLogger } from '../../support/projection-scene.js';
import { until } from '../../support/until.js';
import { newWorkers } from '../../support/workers.js';
import { type Workers } from '../../../src/platform/work/workers.js';
import { Notices, notify, type NoticeChannel } from '../../../src/platform/postgres/notices.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';

const open: Workers[] = [];
let stores: Awaited<ReturnType<typeof freshStores>>;
let postgres: Postgres;

beforeAll(async () => {
  stores = await freshStores();
  const pool = new Pool({ connectionString: stores.databaseUrl.href, max: 4 });
  pool.on('error', () => undefined);
  postgres = new Postgres(pool);
});
afterEach(() => Promise.all(open.splice(0).map((workers) => workers.stop())));
afterAll(async () => {
  await postgres.pool.end();
  await stores.remove();
});

const listener = (of: Postgres = postgres) => {
  const rung: NoticeChannel[] = [];
  const on = { kohort_shipped: () => rung.push('kohort_shipped'), kohort_waiting: () => rung.push('kohort_waiting') };
  const workers = newWorkers();
  const notices = new Notices(workers, of, on, silentLogger);
  open.push(workers);
  workers.start();
  return { notices, rung, workers };
};

describe('a notice', () => {
  it('reaches every process that listens, by its channel, and not before its transaction commits', async () => {
    const both = [listener(), listener()];
    await until(() => both.every(({ notices }) => notices.areHeard));
    await postgres.transaction(async (client) => {
      await notify(client, 'kohort_waiting');
      await sleep(100);
      expect(both.map(({ rung }) => rung)).toEqual([[], []]);
    });
    await until(() => both.every(({ rung }) => rung.length > 0));
    await notify(postgres, 'kohort_shipped');
    await until(() => both.every(({ rung }) => rung.length > 1));
    expect(both.map(({ rung }) => rung)).toEqual(new Array(2).fill(['kohort_waiting', 'kohort_shipped']));
  });

  it('of a transaction that is undone reaches none', async () => {
    const { notices, rung } = listener();
    await until(() => notices.areHeard);
    const undone = postgres.transaction(async (client) => {
      await notify(client, 'kohort_waiting');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await notify(postgres, 'kohort_shipped');
    await until(() => rung.length > 0);
    expect(rung).toEqual(['kohort_shipped']);
  });
});

describe('a process that listens', () => {
  it('knows when its connection is lost, and listens again', async () => {
    const { notices, rung } = listener();
    await until(() => notices.areHeard);
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`);
    await until(() => !notices.areHeard);
    await until(() => notices.areHeard);
    await notify(postgres, 'kohort_shipped');
    await until(() => rung.length > 0);
  });

  it('knows that none arrive, as through a pooler that gives its connection to others', async () => {
    const other = await freshStores();
    const elsewhere = new Pool({ connectionString: other.databaseUrl.href, max: 2 });
    const deaf = new Postgres(postgres.pool);
    // Notices stay within a database.
    deaf.query = (...statement) => elsewhere.query(...statement);
    const { notices, rung, workers } = listener(deaf);
    await sleep(2_500);
    await notify(postgres, 'kohort_shipped');
    await sleep(100);
    expect([notices.areHeard, rung]).toEqual([false, []]);
    await workers.stop();
    await elsewhere.end();
    await other.remove();
  });

  it('gives its connection back when it stops', async () => {
    const { notices, workers } = listener();
    await until(() => notices.areHeard);
    await workers.stop();
    expect([notices.areHeard, postgres.pool.totalCount - postgres.pool.idleCount]).toEqual([false, 0]);
  });
});
