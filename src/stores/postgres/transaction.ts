import { type Pool, type PoolClient } from 'pg';

/** Registers the last statements of a transaction: COMMIT is sent with them, which saves a round trip. */
export type Last = (statement: Promise<unknown>) => void;

export type Work<T> = (client: PoolClient, last: Last) => Promise<T>;

/**
 * Commits everything that `work` did, or nothing: when one of the last statements fails, COMMIT rolls back. A connection
 * in an unknown state is not used again.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: Work<T>,
  begin: 'BEGIN' | 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' = 'BEGIN',
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  const last: Promise<unknown>[] = [];
  const keep: Last = (statement) => {
    // The error is reported below, or by the failure it causes.
    statement.catch(() => undefined);
    last.push(statement);
  };
  try {
    // The first statement follows BEGIN without waiting for it.
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const result = await work(client, keep);
    await Promise.all([begun, ...last, client.query('COMMIT')]);
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    const cause = await causeOf(error, last);
    // A session keeps the setting with which it began: the next transaction gets another one.
    if (isReadOnlySession(cause)) broken = cause;
    throw cause;
  } finally {
    client.release(broken);
  }
};

const isReadOnlySession = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '25006';

/** Statements behind a failed one report only that they came too late. */
const causeOf = async (error: unknown, last: readonly Promise<unknown>[]): Promise<unknown> => {
  const failed = (await Promise.allSettled(last)).find(({ status }) => status === 'rejected');
  return failed?.status === 'rejected' ? failed.reason : error;
};
