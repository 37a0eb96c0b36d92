import { AsyncLocalStorage } from 'node:async_hooks';
import { type PgSql } from './sql.js';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolClient } from 'pg';
import { within } from '../time/within.js';
import { unavailable } from '../errors/problem.js';
import { isPostgresUnavailable } from '../errors/store-errors.js';
import { ServerSilent } from './connection.js';
import { type durableBegin } from './durable-commit.js';

/**
 * A row in which each transaction of a request notes its id. If the answer to COMMIT is lost with the connection, another
 * connection reads in this row if the transaction was committed.
 */
export interface CommitNotes {
  /**
   * The statement by which the transaction `id` notes itself. It fails with a division by zero if another run of the request has
   * taken the row, so that a run that has lost its key commits nothing.
   */
  note(id: string): PgSql;
  /** Selects the id of the last noted transaction as `last_commit`. Waits for a transaction that is being committed. */
  readonly noted: PgSql;
}

interface NoteHolder {
  notes: CommitNotes | null;
}

const current = new AsyncLocalStorage<NoteHolder>();
let uses = 0;

/** Notes the transactions that start during `work`, but not those that its background work starts after its end. */
export const notingCommits = async <T>(notes: CommitNotes, work: () => Promise<T>): Promise<T> => {
  const holder: NoteHolder = { notes };
  uses += 1;
  try {
    return await current.run(holder, work);
  } finally {
    holder.notes = null;
    uses -= 1;
    // Before Node 24, each promise of the process costs more while the storage is enabled: a captured event 15 %.
    if (uses === 0) current.disable();
  }
};

export const currentNotes = (): CommitNotes | null => current.getStore()?.notes ?? null;

/** Registers the last statements of a transaction: COMMIT is sent with them, which saves a round trip. */
export type Last = (statement: Promise<unknown>) => void;

export type Work<T> = (client: PoolClient, last: Last) => Promise<T>;

export type Begin = 'BEGIN' | typeof durableBegin | 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

interface Noted {
  readonly notes: CommitNotes;
  readonly id: string;
}

interface Outcome<T> {
  readonly result: T;
  /** The error if the connection was lost after the work: then it is not known if the work was committed. */
  readonly lost: Error | null;
}

/**
 * Commits everything that `work` did, or nothing: if one of the last statements fails, COMMIT rolls back. With notes, another
 * connection looks up the outcome if the answer to COMMIT is lost.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: Work<T>,
  begin: Begin = 'BEGIN',
  notes: CommitNotes | null = null,
): Promise<T> => {
  const noted = notes && { notes, id: randomUUID() };
  const { result, lost } = await attempt(pool, work, begin, noted);
  if (!lost) return result;
  // A silent server would not answer another connection either.
  const canLook = noted && !(lost instanceof ServerSilent);
  if (canLook && (await isCommitted(pool, noted.notes, noted.id))) return result;
  throw lost;
};

/** Runs the transaction once. A connection in an unknown state is closed afterwards. */
const attempt = async <T>(pool: Pool, work: Work<T>, begin: Begin, noted: Noted | null): Promise<Outcome<T>> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  let done: { readonly result: T } | null = null;
  const last: Promise<unknown>[] = [];
  const keep: Last = (statement) => {
    // The error is reported below, or by a later statement that fails because of it.
    statement.catch(() => undefined);
    last.push(statement);
  };
  try {
    // The first statement is sent without waiting for the answer to BEGIN.
    const started = client.query(begin);
    started.catch(() => undefined);
    done = { result: await work(client, keep) };
    const noting = noted && note(client, noted);
    if (noting) keep(noting);
    await Promise.all([started, ...last, client.query('COMMIT')]);
    return { ...done, lost: null };
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    const cause = await causeOf(error, last);
    // A read-only session stays read-only, so its connection is closed, and the next transaction gets another one.
    if (hasCode(cause, readOnlySession)) broken = cause;
    if (done && cause instanceof Error && isPostgresUnavailable(cause)) return { ...done, lost: cause };
    throw cause;
  } finally {
    client.release(broken);
  }
};

const note = async (client: PoolClient, { notes, id }: Noted): Promise<void> => {
  try {
    await client.query(notes.note(id));
  } catch (error) {
    throw hasCode(error, divisionByZero) ? unavailable('Another run of this request has started: try again') : error;
  }
};

const divisionByZero = '22012';
const readOnlySession = '25006';

const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code;

/** Finds the first of the last statements that failed: those after it only report that the transaction is aborted. */
const causeOf = async (error: unknown, last: readonly Promise<unknown>[]): Promise<unknown> => {
  const failed = (await Promise.allSettled(last)).find(({ status }) => status === 'rejected');
  return failed?.status === 'rejected' ? failed.reason : error;
};

/** The longest look-up, because the caller is promised a 503 within 2 s. */
const longestMs = 1_200;
const pauseMs = 50;

/** True when the transaction `id` was committed. False also when PostgreSQL does not answer within a short time. */
const isCommitted = async (pool: Pool, { noted }: CommitNotes, id: string): Promise<boolean> => {
  const until = performance.now() + longestMs;
  for (let left = longestMs; left > 0; left = until - performance.now()) {
    const statement = { text: noted.text, values: noted.values, query_timeout: left };
    const reading = pool.query<{ last_commit: string | null }>(statement).catch(() => undefined);
    const answer = await within(left, reading);
    if (answer) return answer.rows[0]?.last_commit === id;
    await sleep(pauseMs);
  }
  return false;
};

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
