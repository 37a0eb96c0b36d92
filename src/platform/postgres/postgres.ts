import { type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { isTraced, traced } from '../telemetry/tracing.js';
import { commits } from '../work/commits.js';
import { type Begin, type Work, currentNotes, inTransaction, repeated } from './transaction.js';
import { DatabaseClock } from './database-clock.js';
import { durableBegin } from './durable-commit.js';
import { postgresSpan } from './statement-span.js';

/** A statement with its bound values. With a name, it is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
  /** The connection is abandoned when the answer takes longer. Without it, the limit of the connection applies. */
  readonly query_timeout?: number;
}

/** Runs single statements: `Postgres`, or the connection of a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: string | Statement, values?: unknown[]): Promise<QueryResult<Row>>;
}

export interface TransactionOptions {
  /** The transaction is repeated as a whole when it lost a conflict with another one. */
  readonly repeat?: boolean;
  /** All statements read the same snapshot, and none may write. */
  readonly snapshot?: boolean;
}

/** The interface to PostgreSQL: one pool of connections, for single statements and for transactions. */
export class Postgres implements Queryable {
  readonly clock: DatabaseClock;

  constructor(
    readonly pool: Pool,
    private readonly begin: Begin = durableBegin,
  ) {
    this.clock = new DatabaseClock(pool);
  }

  async query<Row extends QueryResultRow>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<QueryResult<Row>> {
    return isTraced()
      ? traced(postgresSpan(statement), () => this.pool.query<Row>(statement, values))
      : this.pool.query<Row>(statement, values);
  }

  /** Commits all of `work` or nothing, and notes the commit in a request that must not be done twice (`notingCommits`). */
  transaction<T>(work: Work<T>, { repeat = false, snapshot = false }: TransactionOptions = {}): Promise<T> {
    const begin = snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : this.begin;
    const notes = snapshot ? null : currentNotes();
    const once = () => inTransaction(this.pool, work, begin, notes);
    const done = repeat ? repeated(once) : once();
    return snapshot ? done : done.finally(() => commits.notify());
  }
}
