import { copyRows } from '../../platform/postgres/copy-rows.js';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { blockProperties } from '../../kernel/projection/blocks/block-properties.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { EventLineWriter, blockOf } from './event-line-writer.js';
import { eventRowsSql, largeBytes } from './event-rows.sql.js';
import { walkInChunks } from '../files/walk.js';

const rows = { first: 500, most: 10_000 };
const leastBytes = 512 * 1024;
/** The next buffer is larger than the last lines by this factor, because reads of a project have similar sizes. */
const surplus = 1.1;

/** Yields events as lines that an import accepts, in the order of their uuids. */
export const eventLines = (postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> => {
  // The buffer starts with the size that the last read needed; one that is too small is copied into one of twice its size. Too
  // large buffers are avoided, because memory outside of the heap makes the garbage collector run full rounds, which took longer
  // than writing the lines.
  let expectedBytes = leastBytes;
  return walkInChunks(
    async (window) => {
      const lines = new EventLineWriter(expectedBytes, largeBytes);
      // Rows that wait are copied, because the driver uses the memory of a row again for later rows.
      const held: Buffer[] = [];
      const take = (row: Buffer): void => {
        if (held.length > 0 || blockOf(row) !== null) held.push(Buffer.from(row));
        else lines.add(row);
      };
      await postgres.transaction(copyRows(eventRowsSql(walk, window), take));
      await addCompressed(postgres, walk.projectId, lines, held);
      const { bytes, records, index, last } = lines;
      expectedBytes = Math.max(leastBytes, Math.ceil(bytes.length * surplus));
      return { records, taken: index, last, bytes: records === 0 ? null : bytes };
    },
    walk,
    rows,
    ({ bytes }) => bytes,
  );
};

/** After this many lines, other requests are served. */
const linesAtOnce = 500;

/** Adds the waiting rows: the first one whose properties are in a block, and all rows after it. */
const addCompressed = async (
  postgres: Postgres,
  projectId: number,
  lines: EventLineWriter,
  rows: readonly Buffer[],
): Promise<void> => {
  const compressed = rows.map(blockOf);
  const found = await blockProperties(
    postgres,
    projectId,
    compressed.filter((index) => index !== null),
  );
  for (const [at, row] of rows.entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) await yieldToEventLoop();
    const index = compressed[at];
    if (!index) lines.add(row);
    else {
      const properties = found.get(index.uuid);
      if (properties === undefined) lines.skip(row);
      else lines.add(row, Buffer.from(properties));
    }
  }
};
