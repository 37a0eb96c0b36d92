import pg from 'pg';
import { bound, joinedSql, pgSql, type PgSql } from './sql.js';
import { topology } from './topology.js';
import { type Work } from './transaction.js';

export type OnRow = (row: Buffer) => void;

/**
 * Gives every row of a SELECT to `onRow`, in PostgreSQL's binary form. The driver makes a string of every value of an ordinary
 * answer, which costs more than the rest of the way when bytes are only passed on. COPY takes no bound values, so settings of
 * the transaction carry them; all of them are text there, and need a cast.
 */
export const copyRows =
  (statement: PgSql, onRow: OnRow): Work<void> =>
  (client, last) => {
    if (!topology().copyReadsSettings) return copyWithLiterals(client, statement, onRow);
    const { text, values } = statement;
    const carried = values.map((_, at) => `set_config('${settingOf(at + 1)}', $${at + 1}, true)`);
    const rows = text.replace(/\$(\d+)/g, (_, number: string) => `current_setting('${settingOf(Number(number))}')`);
    // Nothing of this waits for an answer, so it is one round trip.
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

/** PostgreSQL itself writes the literals, so a value stays a value. */
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

/** The driver's query ignores what COPY sends. */
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
      // Thrown here, it would end the process.
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** The signature, the flags and the length of an empty extension, in front of the first row. */
const headerBytes = 19;
export const fieldCountBytes = 2;
const endOfRows = -1;

const settingOf = (number: number): string => `kohort.copy_${number}`;

const textOf = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`COPY cannot take a value of type ${typeof value}`);
};
