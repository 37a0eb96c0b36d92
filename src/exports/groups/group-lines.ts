import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { groupLinesSql } from '../files/lines.sql.js';
import { type LinesRow, type ReadWindow, walkInChunks } from '../files/walk.js';

const rowsOfRead = { first: 500, most: 4000 };
const nothing: LinesRow = { lines: null, records: 0, taken: 0, last: null };

/** Yields groups as lines that an import accepts, in the order of their ids: each is the event that describes the group. */
export const groupLines = (postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> => {
  const read = async (window: ReadWindow): Promise<LinesRow> => {
    const { rows } = await postgres.query<LinesRow>(groupLinesSql(walk, window));
    return rows[0] ?? nothing;
  };
  return walkInChunks(read, walk, rowsOfRead, ({ lines }) => (lines === null ? null : `${lines}\n`));
};
