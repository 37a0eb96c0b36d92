import { copyRows } from '../stores/postgres/copy-rows.js';
import { type Postgres } from '../stores/postgres/postgres.js';
import { type Chunk, type Walk } from './chunk.js';
import { EventLineWriter } from './event-line-writer.js';
import { eventRowsSql, largeBytes } from './event-rows.sql.js';
import { walkInChunks } from './walk.js';

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
      await postgres.transaction(copyRows(eventRowsSql(walk, window), (row) => lines.add(row)));
      const { bytes, records, place, last } = lines;
      expectedBytes = Math.max(leastBytes, Math.ceil(bytes.length * surplus));
      return { records, kept: place, last, bytes: records === 0 ? null : bytes };
    },
    walk,
    rows,
    ({ bytes }) => bytes,
  );
};
