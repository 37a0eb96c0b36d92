import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A distinct id moved to another person between reading and locking. The whole transaction has to be rolled back and
 * repeated, exactly as after a serialization failure of the database, whose SQLSTATE it carries.
 */
export class RetryTransaction extends Error {
  readonly code = '40001';

  constructor() {
    super('Distinct ids moved to other persons at the same moment: roll back and repeat the transaction');
    this.name = 'RetryTransaction';
  }
}

const repeatable = new Set<unknown>(['40001', '40P01']);

/** True for RetryTransaction, serialization failures and deadlocks: the transaction failed only because of its timing. */
export const mayBeRepeated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && repeatable.has(error.code);

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
