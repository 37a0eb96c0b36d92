import { copyRows } from '../stores/postgres/copy-rows.js';
import { type Postgres } from '../stores/postgres/postgres.js';
import { type Chunk, type Walk } from './chunk.js';
import { EventLineWriter } from './event-line-writer.js';
import { budgetOfEvents, eventRowsSql, largeBytes } from './event-rows.sql.js';
import { walkInChunks } from './walk.js';

const rows = { first: 500, most: 10_000 };
/** A line is larger than its properties as PostgreSQL stores them. */
const expectedBytes = 1.5 * budgetOfEvents;

/** Events as lines that an import takes, in the order of their uuids. */
export const eventLines = (postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> =>
  walkInChunks(
    async (window) => {
      const lines = new EventLineWriter(expectedBytes, largeBytes);
      await postgres.transaction(copyRows(eventRowsSql(walk, window), (row) => lines.add(row)));
      const { bytes, records, place, last } = lines;
      return { records, kept: place, last, bytes: records === 0 ? null : bytes };
    },
    walk,
    rows,
    ({ bytes }) => bytes,
  );
