import { type ProjectContext } from '../../kernel/access/project-context.js';
import { storable } from '../../platform/time/dates.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { bytesOrNull, lastChunk, type TableStores } from '../files/table-chunk.js';
import {
  eventSliceSql,
  eventLinesSql,
  eventTableSql,
  noEventsSql,
  writtenAs,
  type EventPosition,
  type TableFormat,
} from '../files/tables.sql.js';

type Project = Pick<ProjectContext, 'id' | 'signal'>;

const rowsOfCsv = { first: 500, most: 50_000 };
/** The number of rows is adjusted, so that a slice of CSV has about this size. */
const bytesOfCsv = 4 * 1024 ** 2;

/** The rows of one file of lines that ClickHouse writes. */
const rowsOfLines = 20_000;

/** The most rows of one Parquet file. It is written as a whole, because it is valid only when it is complete. */
export const mostRowsOfParquet = 100_000;

/**
 * Yields events as ClickHouse writes them, in the order of time: slices of one CSV, or one Parquet file after the other. Each is
 * a statement of its own, so a client that reads slowly does not occupy ClickHouse.
 */
export async function* eventTable(
  { postgres, clickhouse }: TableStores,
  project: Project,
  walk: Walk,
  format: TableFormat | 'ndjson',
): AsyncGenerator<Chunk> {
  let after = await positionOf(postgres, walk);
  let remaining = walk.limit ?? Infinity;
  let rows = format === 'csv' ? rowsOfCsv.first : format === 'parquet' ? mostRowsOfParquet : rowsOfLines;
  let withHeader = format === 'ndjson' ? false : walk.cursor === null || format === 'parquet';
  for (;;) {
    const atMost = Math.min(rows, remaining);
    const slice = await sliceOf(clickhouse, project, walk, after, atMost);
    if (slice === null) {
      if (withHeader && format !== 'ndjson')
        yield lastChunk(
          await clickhouse.bytes(noEventsSql(walk, writtenAs(format, { withHeader })), { project, work: 'export' }),
        );
      return;
    }
    const statement =
      format === 'ndjson'
        ? eventLinesSql(walk, after, slice.upTo)
        : eventTableSql(walk, after, slice.upTo, writtenAs(format, { withHeader }));
    const bytes = await bytesOrNull(
      () => clickhouse.bytes(statement, { project, work: 'export', maxResultRows: atMost }),
      slice.records,
    );
    if (bytes === null) {
      rows = Math.max(1, Math.floor(slice.records / 4));
      continue;
    }
    remaining -= slice.records;
    const hasMore = slice.records === atMost;
    yield { bytes, records: slice.records, last: slice.upTo.id, hasMore };
    if (!hasMore || remaining === 0) return;
    after = slice.upTo;
    if (format === 'csv') {
      withHeader = false;
      rows = bytes.length > bytesOfCsv ? Math.max(1, Math.floor(rows / 2)) : Math.min(rowsOfCsv.most, rows * 2);
    }
  }
}

interface Slice {
  readonly records: number;
  readonly upTo: EventPosition;
}

const sliceOf = async (
  clickhouse: ClickHouse,
  project: Project,
  walk: Walk,
  after: EventPosition | null,
  rows: number,
): Promise<Slice | null> => {
  const [found] = await clickhouse.query<{ records: number; at: string; id: string }>(
    eventSliceSql(walk, after, rows),
    { project, work: 'export' },
  );
  if (!found || found.records === 0) return null;
  return { records: found.records, upTo: { at: new Date(Number(found.at)), id: found.id } };
};

/** Returns the position of the event whose uuid is the cursor; the log knows its time. */
const positionOf = async (postgres: Postgres, { projectId, cursor }: Walk): Promise<EventPosition | null> => {
  if (cursor === null) return null;
  const { rows } = await postgres.query<{ timestamp: Date }>(
    pgSql`SELECT timestamp FROM events WHERE project_id = ${bound(projectId)} AND uuid = ${bound(cursor)}::uuid`,
  );
  if (!rows[0]) {
    throw invalidInput(
      `there is no event ${cursor}, it may have been deleted: send the uuid of the event before it`,
      'cursor',
    );
  }
  return { at: storable(rows[0].timestamp), id: cursor };
};
