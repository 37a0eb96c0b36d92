import { setTimeout as sleep } from 'node:timers/promises';
import { mayBeRepeated } from './retry-transaction.js';

const maxAttempts = 20;

/** Runs a transaction and repeats it as a whole when it lost a conflict with another one. */
export const repeated = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!mayBeRepeated(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * 10 * attempt);
    }
  }
};
