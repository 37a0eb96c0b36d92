import pg from 'pg';
import { isTraced, observeStatement, traced } from '../telemetry/tracing.js';
import { afterAwake } from '../time/awake.js';
import { PgSql } from './sql.js';
import { postgresSpan } from './statement-span.js';
import { topology } from './topology.js';
import { FairPool, type Share } from '../work/fair-pool.js';
import { unavailable } from '../errors/problem.js';

type Done = (error: Error | null, result: unknown) => void;
type Question = string | PgSql | (pg.QueryConfig & { readonly query_timeout?: number });

const isSubmittable = (question: unknown): boolean =>
  typeof question === 'object' && question !== null && 'submit' in question;

const configOf = (question: Question): Exclude<Question, string | PgSql> => {
  if (typeof question === 'string') return { text: question };
  return question instanceof PgSql ? { name: question.name, text: question.text, values: question.values } : question;
};

/** The limit for a server that does not answer at all. It is longer than the server's own limit of a statement. */
const usualPatienceMs = 120_000;

/** The server does not answer, so that it is not known if it has done what was sent. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';

  constructor() {
    super('Connection terminated: PostgreSQL does not answer');
  }
}

/**
 * Queries like the driver, but makes promises and deadlines outside of it. Those of the driver are closures that refer to their
 * own query, which makes the garbage collector treat every result as long-lived: its short rounds took seven times as long, and
 * results were freed only by a full collection.
 */
export class PgConnection extends pg.Client {
  /** The time limit of statements that name none. */
  patienceMs = usualPatienceMs;
  /** The moment of the last answer on this connection. */
  heardAt = 0;
  private unanswered = 0;
  private waitingSince = 0;

  /** How long statements of this connection have waited without any answer. */
  get silentMs(): number {
    return this.unanswered === 0 ? 0 : performance.now() - Math.max(this.waitingSince, this.heardAt);
  }

  /** Closes the connection, so that all its statements fail. */
  abandon(error?: Error): void {
    (this as unknown as { connection: { stream: { destroy(error?: Error): void } } }).connection.stream.destroy(error);
  }

  override query(question: unknown, values?: unknown, done?: unknown): never {
    const callback = (typeof values === 'function' ? values : done) as Done | undefined;
    const bindings = typeof values === 'function' ? undefined : values;
    if (isSubmittable(question)) return super.query(question as never, bindings as never, callback as never) as never;
    if (callback) return this.ask(question as Question, bindings, callback) as never;
    // Only calls without a callback are traced here. The pool passes a callback, which may run in the context of another request;
    // `Postgres` traces its statements.
    return (
      isTraced()
        ? traced(postgresSpan(configOf(question as Question)), () => this.answer(question as Question, bindings))
        : this.answer(question as Question, bindings)
    ) as never;
  }

  private answer(question: Question, bindings: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.ask(question, bindings, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  private ask(question: Question, values: unknown, done: Done): void {
    const { query_timeout: patience = this.patienceMs, text, ...rest } = configOf(question);
    const statement = { ...rest, text: topology().textToSend(text) };
    let isOver = false;
    const startedAt = performance.now();
    if (this.unanswered === 0) this.waitingSince = startedAt;
    this.unanswered += 1;
    const end: Done = (error, result) => {
      if (isOver) return;
      isOver = true;
      this.unanswered -= 1;
      if (!error || error instanceof pg.DatabaseError) this.heardAt = performance.now();
      cancel();
      observeStatement('postgres', startedAt);
      done(error, result);
    };
    const cancel = afterAwake(patience, () => this.giveUp(end));
    super.query(statement as never, values as never, end as never);
  }

  /** Closes the connection: queries that were sent after an unanswered one cannot be answered either. */
  private giveUp(end: Done): void {
    this.abandon();
    end(new Error('Query read timeout'), undefined);
  }
}

const waitMs = 10_000;
const busy = () => unavailable('Too many requests of this project wait for the database: try again shortly');

interface Reader {
  readonly id: number;
  readonly signal?: AbortSignal;
}

/**
 * Limits how many connections of the pool one kind of work may use, in all and for one project. The pool itself serves in order
 * of arrival, so that long reads of one project could occupy every connection. Returns a function that does work in a slot.
 */
export const connectionSlots = (size: number, share: Share) => {
  const slots = FairPool.ofSlots(size, { share, busy, closed: busy });
  return <T>({ id, signal }: Reader, work: () => Promise<T>): Promise<T> =>
    slots.during({ owner: id, waitMs, signal }, work);
};
