import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { type Chunk, type Walk } from './chunk.js';
import { bytesOrNull, lastChunk, type TableStores } from './table-chunk.js';
import { type TableFormat, writtenAs } from './tables.sql.js';

const bytesOfCsv = 4 * 1024 ** 2;

interface TableById<Row extends { readonly id: string }> {
  /** The rows of one slice: at first and at most of a CSV, and of one Parquet file. */
  readonly rows: { readonly first: number; readonly most: number; readonly parquet: number };
  /** Reads the next records in the order of their ids. */
  readonly read: (after: string | null, rows: number) => Promise<readonly Row[]>;
  /** Selects the records between two ids; `rows` are those that were read. */
  readonly statement: (edges: readonly [first: bigint, last: bigint], rows: readonly Row[], written: Sql) => Sql;
}

/** Yields records as ClickHouse writes them, in the order of their ids, which PostgreSQL reads. */
export async function* tableById<Row extends { readonly id: string }>(
  { clickhouse }: TableStores,
  project: Pick<ProjectContext, 'id' | 'signal'>,
  walk: Walk,
  format: TableFormat,
  { rows: sizes, read, statement }: TableById<Row>,
): AsyncGenerator<Chunk> {
  let after = walk.cursor;
  let remaining = walk.limit ?? Infinity;
  let rows = format === 'csv' ? sizes.first : sizes.parquet;
  let withHeader = walk.cursor === null || format === 'parquet';
  for (;;) {
    const atMost = Math.min(rows, remaining);
    const found = await read(after, atMost);
    const edges = [BigInt(found[0]?.id ?? 0), BigInt(found.at(-1)?.id ?? 0)] as const;
    if (found.length === 0 && !withHeader) return;
    const selection = statement(edges, found, writtenAs(format, { withHeader }));
    const bytes = await bytesOrNull(
      () => clickhouse.bytes(selection, { project, work: 'export', maxResultRows: atMost }),
      found.length,
    );
    if (bytes === null) {
      rows = Math.max(1, Math.floor(found.length / 4));
      continue;
    }
    if (found.length === 0) {
      yield lastChunk(bytes);
      return;
    }
    after = found.at(-1)?.id ?? null;
    remaining -= found.length;
    const hasMore = found.length === atMost;
    yield { bytes, records: found.length, last: after, hasMore };
    if (!hasMore || remaining === 0) return;
    if (format === 'csv') {
      withHeader = false;
      rows = bytes.length > bytesOfCsv ? Math.max(1, Math.floor(rows / 2)) : Math.min(sizes.most, rows * 2);
    }
  }
}
