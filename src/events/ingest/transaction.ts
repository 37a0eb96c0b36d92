import { type Pool, type PoolClient } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayBeRepeated } from '../../persons/identity/retry-transaction.js';

const maxAttempts = 20;

/** One transaction, repeated when it lost against another. A connection in an unknown state is not used again. */
export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (!mayBeRepeated(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * 10 * attempt);
    }
  }
};

const once = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    throw error;
  } finally {
    client.release(broken);
  }
};
