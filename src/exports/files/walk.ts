import { ahead } from '../../platform/work/ahead.js';
import { type Chunk, nextRows, type Walk } from './chunk.js';

/** Limits one read of a table. */
export interface ReadWindow {
  /** The key of the last record of the previous read; null at the start. */
  readonly after: string | null;
  readonly rows: number;
  /** The number of records until the limit; null without a limit. */
  readonly remaining: number | null;
}

/** The result of one read. */
export interface Read {
  readonly records: number;
  /** The number of rows of its window that the read got to. */
  readonly taken: number;
  /** The key of the last of these rows; null when there was no row. */
  readonly last: string | null;
}

/** A read whose lines were written by PostgreSQL. */
export interface LinesRow extends Read {
  readonly lines: string | null;
}

/**
 * Walks through a table. Each `read` is a statement of its own, so that a client that reads slowly occupies neither a connection
 * nor a snapshot. One read runs ahead of the client. `write` turns a read into what is sent, which may be nothing.
 */
export async function* walkInChunks<R extends Read>(
  read: (window: ReadWindow) => Promise<R>,
  { cursor, limit }: Pick<Walk, 'cursor' | 'limit'>,
  rows: { readonly first: number; readonly most: number },
  write: (read: R) => string | Uint8Array | null,
): AsyncGenerator<Chunk> {
  let window: ReadWindow = { after: cursor, rows: rows.first, remaining: limit };
  let next: Promise<R> | null = read(window);
  try {
    while (next !== null) {
      const got: R = await next;
      next = null;
      if (got.last === null) return;
      const remaining = window.remaining === null ? null : window.remaining - got.records;
      window = { after: got.last, rows: nextRows(window.rows, got.taken, rows.most), remaining };
      if (remaining !== 0) next = ahead(() => read(window));
      const bytes = write(got);
      if (bytes !== null) yield { bytes, records: got.records, last: got.last, hasMore: true };
    }
  } finally {
    await next?.catch(() => undefined);
  }
}
