import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { mayBeRepeated } from './retry-transaction.js';
import { inTransaction, type Last } from './transaction.js';

const maxAttempts = 20;

/** One transaction, repeated as a whole when it lost against another. */
export const inRepeatedTransaction = async <T>(
  pool: Pool,
  work: (client: PoolClient, last: Last) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if (!mayBeRepeated(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * 10 * attempt);
    }
  }
};
