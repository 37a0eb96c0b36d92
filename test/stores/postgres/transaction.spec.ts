import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { FaultyLink, type LinkFault } from '../../support/faulty-link.js';
import { freshStores } from '../../support/fresh-stores.js';
import { type CommitNotes, inTransaction } from '../../../src/platform/postgres/transaction.js';
import { PgConnection } from '../../../src/platform/postgres/connection.js';
import { surviveLostConnections } from '../../../src/platform/postgres/silence-watch.js';
import { bound, pgSql } from '../../../src/platform/postgres/sql.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let link: FaultyLink;
/** Its connections may be lost. */
let linked: Pool;

beforeAll(async () => {
  stores = await freshStores();
  const options = { connectionString: stores.databaseUrl.href, max: 1, pipeline: true, Client: PgConnection };
  pool = new Pool(options);
  await pool.query('CREATE TABLE notes (number int PRIMARY KEY)');
  await pool.query('CREATE TABLE runs (id int PRIMARY KEY, last_commit uuid)');
  link = await FaultyLink.to(stores.databaseUrl);
  linked = new Pool({ ...options, connectionString: link.url.href, connectionTimeoutMillis: 1_500 });
  surviveLostConnections(linked);
  linked.on('error', () => undefined);
});
afterAll(async () => {
  await Promise.all([pool.end(), linked.end()]);
  await link.close();
  await stores.remove();
});
beforeEach(async () => {
  await pool.query('TRUNCATE notes, runs');
  await pool.query('INSERT INTO runs VALUES (1)');
});

const add = 'INSERT INTO notes VALUES ($1)';
const written = async () =>
  (await pool.query<{ number: number }>('SELECT number FROM notes ORDER BY number')).rows.map(({ number }) => number);

describe('a transaction', () => {
  it('commits all of its work, with its last statements under way or not', async () => {
    const result = await inTransaction(pool, async (client, last) => {
      await client.query(add, [1]);
      last(client.query(add, [2]));
      last(client.query(add, [3]));
      return 'done';
    });
    expect(result).toBe('done');
    expect(await written()).toEqual([1, 2, 3]);
  });

  it('leaves nothing where its work fails, also with last statements under way', async () => {
    const work = inTransaction(pool, async (client, last) => {
      await client.query(add, [1]);
      last(client.query(add, [2]));
      throw new Error('thought better of it');
    });
    await expect(work).rejects.toThrow('thought better of it');
    expect(await written()).toEqual([]);
  });

  it('leaves nothing where a last statement fails, and says which error was first', async () => {
    const work = inTransaction(pool, async (client, last) => {
      await client.query(add, [1]);
      last(client.query(add, [1]));
      last(client.query(add, [2]));
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    const goesOn = inTransaction(pool, async (client, last) => {
      last(client.query('SELECT 1 / 0'));
      await client.query(add, [1]);
    });
    await expect(goesOn).rejects.toMatchObject({ code: '22012' });
    expect(await written()).toEqual([]);
  });

  it('leaves nothing where its first statement fails, and the connection can be used again', async () => {
    const work = inTransaction(pool, (client) => client.query('SELECT 1 / 0'));
    await expect(work).rejects.toMatchObject({ code: '22012' });
    await inTransaction(pool, (client) => client.query(add, [1]));
    expect(await written()).toEqual([1]);
  });
});

const notesOf = (run: number): CommitNotes => ({
  note: (id) => pgSql`
    WITH noted AS (UPDATE runs SET last_commit = ${bound(id)} WHERE id = ${bound(run)} RETURNING 1)
    SELECT 1 / count(*) FROM noted`,
  noted: pgSql`SELECT last_commit FROM runs WHERE id = ${bound(run)} FOR SHARE`,
});
const noted = async () =>
  (await pool.query<{ last_commit: string | null }>('SELECT last_commit FROM runs')).rows[0]?.last_commit;
const adding = (number: number, run = 1) =>
  inTransaction(linked, (client) => client.query(add, [number]).then(() => 'done'), 'BEGIN', notesOf(run));

describe('a transaction that is noted', () => {
  afterEach(() => link.set('none'));

  it('leaves its id together with its work, and nothing when its work fails', async () => {
    expect(await adding(1)).toBe('done');
    const first = await noted();
    expect([first, await written()]).toEqual([expect.any(String), [1]]);
    await expect(adding(1)).rejects.toMatchObject({ code: '23505' });
    expect(await noted()).toBe(first);
  });

  it('is refused when another run has taken its row', async () => {
    await expect(adding(1, 2)).rejects.toMatchObject({ status: 503, detail: expect.stringContaining('Another run') });
    expect(await written()).toEqual([]);
  });

  it('has its result where the answer to COMMIT is lost with the connection', async () => {
    const lost = link.loseCommit('INSERT INTO notes', 'answer');
    expect(await adding(1)).toBe('done');
    await lost;
    expect(await written()).toEqual([1]);
  });

  it('fails where COMMIT is lost with the connection, also after another transaction that was committed', async () => {
    await adding(1);
    const lost = link.loseCommit('INSERT INTO notes', 'request');
    await expect(adding(2)).rejects.toThrow(/Connection terminated|ECONNRESET/);
    await lost;
    expect(await written()).toEqual([1]);
  });

  it('has its result where the connection is lost while the server commits', async () => {
    await pool.query(`
      CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause()`);
    const result = adding(1);
    await sleep(200);
    await link.set('resetting');
    await link.set('none');
    expect(await result).toBe('done');
    await pool.query('DROP TRIGGER slow ON notes');
    expect(await written()).toEqual([1]);
  });

  it.each<LinkFault>(['refusing', 'resetting', 'silent'])(
    'fails within 1.5 s where PostgreSQL is away behind its COMMIT: %s',
    async (fault) => {
      void link.loseCommit('INSERT INTO notes', 'answer').then(() => link.set(fault));
      const begun = performance.now();
      await expect(adding(1)).rejects.toThrow(/Connection terminated|ECONNRESET/);
      expect(performance.now() - begun).toBeLessThan(1_500);
      expect(await written()).toEqual([1]);
    },
  );
});
