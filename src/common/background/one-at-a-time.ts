import { isPostgresUnavailable } from '../errors/store-errors.js';

/**
 * Runs work on the same key in turn. The database would serialise it as well, but every transaction that waits there for
 * a row lock holds a connection, and a few dozen writers of one person would leave no connection for other work.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const mine = before ? before.then(work, (error: unknown) => workUnlessDown(error, work)) : work();
    this.last.set(key, mine);
    const forget = () => {
      if (this.last.get(key) === mine) this.last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}

/** When the database is away, queued work fails at once instead of after one time-out each. */
const workUnlessDown = <T>(error: unknown, work: () => Promise<T>): Promise<T> => {
  if (error instanceof Error && isPostgresUnavailable(error)) throw error;
  return work();
};
