import { type Postgres } from '../stores/postgres/postgres.js';
import { type Chunk, nextRows, type Walk } from './chunk.js';
import { budgetBytes, eventLinesSql, type ReadWindow } from './lines.sql.js';

/** One read of a table. */
export interface LinesRow {
  readonly lines: string | null;
  readonly records: number;
  readonly kept: number;
  readonly last: string | null;
}

const firstRows = 500;
const mostRows = 4000;

/**
 * Events as lines that an import takes, in the order of their uuids. Each read is a statement of its own, so a client that
 * reads slowly holds neither a connection nor a snapshot. One read runs ahead of the client.
 */
export async function* eventLines(postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> {
  const read = async (window: ReadWindow): Promise<LinesRow | undefined> =>
    (await postgres.query<LinesRow>(eventLinesSql(walk, window))).rows[0];
  yield* walkInChunks(read, walk, (lines, records) => (records === 1 ? tight(lines) : lines));
}

/** Walks a table by `read`; `write` turns the lines of one read into what is sent. */
export async function* walkInChunks<R extends LinesRow>(
  read: (window: ReadWindow) => Promise<R | undefined>,
  { cursor, limit }: Pick<Walk, 'cursor' | 'limit'>,
  write: (lines: string, records: number, row: R) => string,
): AsyncGenerator<Chunk> {
  let window: ReadWindow = { behind: cursor, rows: firstRows, left: limit };
  let next: Promise<R | undefined> | null = read(window);
  try {
    while (next !== null) {
      const row: R | undefined = await next;
      next = null;
      if (!row || row.last === null) return;
      const left = window.left === null ? null : window.left - row.records;
      window = { behind: row.last, rows: nextRows(window.rows, row.kept, mostRows), left };
      if (left !== 0) next = ahead(() => read(window));
      if (row.lines !== null) {
        const bytes = `${write(row.lines, row.records, row)}\n`;
        yield { bytes, records: row.records, last: row.last, hasMore: true };
      }
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

/** The read may fail while the client is still busy with the lines before, when nothing else handles its rejection. */
const ahead = <T>(read: () => Promise<T>): Promise<T> => {
  const reading = read();
  reading.catch(() => undefined);
  return reading;
};

/** PostgreSQL writes spaces and whole numbers of three hundred digits, with which a large event can exceed a line. */
const tight = (line: string): string => (line.length < budgetBytes / 2 ? line : JSON.stringify(JSON.parse(line)));
