/** The records of an export, from a position on. */
export interface Walk {
  readonly projectId: number;
  /** Only records later than this: the time of an event, the creation of a person. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** The records after this one: the uuid of an event, the id of a person. */
  readonly cursor: string | null;
  readonly limit: number | null;
}

/** A piece of an export, as it is written. */
export interface Chunk {
  readonly bytes: string | Uint8Array;
  readonly records: number;
  /** The position after this chunk, as `cursor` takes it; null when the chunk has no record. */
  readonly last: string | null;
  /** True if more records may follow this chunk. */
  readonly hasMore: boolean;
}

/** Waits for the first chunk, so that a failure to begin still has a status of its own. */
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

/** How many rows the next read takes: as many as fit into the budget, by what the last read has kept. */
export const nextRows = (rows: number, taken: number, most: number): number =>
  taken < rows ? Math.max(10, Math.ceil(taken * 1.2)) : Math.min(most, rows * 2);
