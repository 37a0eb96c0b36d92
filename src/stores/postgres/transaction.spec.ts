import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { freshStores } from '../../../test/support/fresh-stores.js';
import { PgConnection } from './connection.js';
import { inTransaction } from './transaction.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  const options = { connectionString: stores.databaseUrl.href, max: 1, pipeline: true, Client: PgConnection };
  pool = new Pool(options);
  await pool.query('CREATE TABLE notes (number int PRIMARY KEY)');
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});
beforeEach(async () => {
  await pool.query('TRUNCATE notes');
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
