import pg from 'pg';
import { bound, joinedSql, pgSql, type PgSql } from './sql.js';
import { topology } from './topology.js';
import { type Work } from './transaction.js';

export type OnRow = (row: Buffer) => void;

/**
 * Gives every row of a SELECT to `onRow`, in the binary form of PostgreSQL. In an ordinary answer the driver makes a string of
 * every value, which costs more than all else where bytes are only passed on. COPY takes no bound values, so they are put into
 * settings of the transaction. Settings are text, so the statement must cast each value.
 */
export const copyRows =
  (statement: PgSql, onRow: OnRow): Work<void> =>
  (client, last) => {
    if (!topology().copyReadsSettings) return copyWithLiterals(client, statement, onRow);
    const { text, values } = statement;
    const carried = values.map((_, at) => `set_config('${settingOf(at + 1)}', $${at + 1}, true)`);
    const rows = text.replace(/\$(\d+)/g, (_, number: string) => `current_setting('${settingOf(Number(number))}')`);
    // Both statements are sent without waiting for an answer, so they take one round trip.
    if (values.length > 0) {
      const carrying = client.query(`SELECT ${carried.join(', ')}`, values.map(textOf));
      last(carrying);
    }
    const copying = copied(client, rows, onRow);
    last(copying);
    return Promise.resolve();
  };

const copyWithLiterals = async (client: pg.ClientBase, { text, values }: PgSql, onRow: OnRow): Promise<void> => {
  const literals = await literalsOf(client, values);
  const rows = topology()
    .textToSend(text)
    .replace(/\$(\d+)/g, (_, number: string) => literals[Number(number) - 1] ?? '');
  await copied(client, rows, onRow);
};

/** Lets PostgreSQL itself write the literals, so that no value can become SQL. */
const literalsOf = async (client: pg.ClientBase, values: readonly unknown[]): Promise<string[]> => {
  const each = values.map((value) => pgSql`quote_literal(${bound(textOf(value))}::text)`);
  const { rows } = await client.query<{ literals: string[] }>(
    pgSql`SELECT ARRAY[${joinedSql(each)}]::text[] AS literals`,
  );
  return rows[0]?.literals ?? [];
};

const copied = (client: pg.ClientBase, rows: string, onRow: OnRow): Promise<void> =>
  new Promise((resolve, reject) => {
    const copy = new CopyQuery(`COPY (${rows}) TO STDOUT (FORMAT binary)`, onRow, (error) => {
      const failure = error ?? copy.failure;
      if (failure) reject(failure);
      else resolve();
    });
    client.query(copy);
  });

/** A query that receives the rows of COPY, which the query of the driver ignores. */
class CopyQuery extends pg.Query {
  failure: Error | null = null;
  private hasHeader = true;

  constructor(
    text: string,
    private readonly onRow: OnRow,
    done: (error: Error | undefined) => void,
  ) {
    super(text, done);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failure) return;
    const row = this.hasHeader ? chunk.subarray(headerBytes) : chunk;
    this.hasHeader = false;
    if (row.length < fieldCountBytes || row.readInt16BE(0) === endOfRows) return;
    try {
      this.onRow(row);
    } catch (error) {
      // An error thrown here would end the process.
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** The bytes before the first row: the signature, the flags and the length of an empty extension. */
const headerBytes = 19;
export const fieldCountBytes = 2;
const endOfRows = -1;

const settingOf = (number: number): string => `kohort.copy_${number}`;

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`COPY cannot take a value of type ${typeof value}`);
};
