import { type Sql } from '../../platform/clickhouse/sql.js';

/** The records that an export contains, and the position where it starts. */
export interface Walk {
  readonly projectId: number;
  /** Only records after this time are exported: the time of an event, or the creation of a person. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** Only records after this one are exported: the uuid of an event, or the id of a person. */
  readonly cursor: string | null;
  readonly limit: number | null;
  /** A further condition on events `e` in ClickHouse. */
  readonly condition?: Sql;
  /** Only these persons, by their ids. */
  readonly persons?: readonly string[];
}

/** A piece of an export in its written form. */
export interface Chunk {
  readonly bytes: string | Uint8Array;
  readonly records: number;
  /** The position after this chunk, as a value for `cursor`; null when the chunk has no record. */
  readonly last: string | null;
  /** True if more records may follow this chunk. */
  readonly hasMore: boolean;
}

/** Waits for the first chunk, so that a failure before it can still be answered with its own status. */
export const withFirstChunk = async (chunks: AsyncGenerator<Chunk>): Promise<AsyncGenerator<Chunk>> => {
  const first = await chunks.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* chunks;
    } finally {
      await chunks.return(undefined);
    }
  })();
};

/**
 * Returns the number of rows for the next read: as many as probably fit into the budget, judging by the rows that the last read
 * kept.
 */
export const nextRows = (rows: number, taken: number, most: number): number =>
  taken < rows ? Math.max(10, Math.ceil(taken * 1.2)) : Math.min(most, rows * 2);
