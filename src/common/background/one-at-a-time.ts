import { isPostgresUnavailable } from '../errors/store-errors.js';

/**
 * Work on the same thing in turn. The database would see to that as well, but each that waits there for a row lock holds a
 * connection, and a few dozen writers of one person would leave none for anybody else.
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

/** When the database is away, those in the queue are told at once and not one time-out after the other. */
const workUnlessDown = <T>(error: unknown, work: () => Promise<T>): Promise<T> => {
  if (error instanceof Error && isPostgresUnavailable(error)) throw error;
  return work();
};
