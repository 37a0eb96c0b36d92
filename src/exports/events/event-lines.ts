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
/** Reads of a project are of similar sizes. */
const surplus = 1.1;

/** Events as lines that an import takes, in the order of their uuids. */
export const eventLines = (postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> => {
  // Memory outside of the heap makes the garbage collector run full rounds, which took more time than the lines: a buffer that is
  // too small is copied into one of twice its size.
  let expectedBytes = leastBytes;
  return walkInChunks(
    async (window) => {
      const lines = new EventLineWriter(expectedBytes, largeBytes);
      // Copies, because the driver takes the memory of a row for later rows.
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

/** Between two ticks of the event loop. */
const linesAtOnce = 500;

/** Adds the rows from the first one on whose properties are in a block. */
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
