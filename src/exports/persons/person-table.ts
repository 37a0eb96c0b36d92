import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { bytesOrNull, lastChunk, type TableStores } from '../events/event-table.js';
import { idsInLine } from '../files/lines.sql.js';
import { personTableSql, writtenAs, type TableFormat } from '../files/tables.sql.js';

const rowsOfCsv = { first: 500, most: 4000 };
const bytesOfCsv = 4 * 1024 ** 2;
/** The distinct ids of at most this many persons are sent to ClickHouse in one statement. */
export const mostPersonsOfParquet = 10_000;

/** Yields persons as ClickHouse writes them, in the order of their ids. PostgreSQL adds the distinct ids. */
export async function* personTable(
  { postgres, clickhouse }: TableStores,
  project: Pick<ProjectContext, 'id' | 'signal'>,
  walk: Walk,
  format: TableFormat,
): AsyncGenerator<Chunk> {
  let after = walk.cursor;
  let remaining = walk.limit ?? Infinity;
  let rows = format === 'csv' ? rowsOfCsv.first : mostPersonsOfParquet;
  let withHeader = walk.cursor === null || format === 'parquet';
  for (;;) {
    const atMost = Math.min(rows, remaining);
    const ids = await idsAfter(postgres, walk, after, atMost);
    const edges = [BigInt(ids[0]?.id ?? 0), BigInt(ids.at(-1)?.id ?? 0)] as const;
    if (ids.length === 0 && !withHeader) return;
    // An empty text would be an error, because the engine would find no columns in it.
    const text = ids.length === 0 ? '{"id":0,"distinct_ids":[]}' : ids.map(({ line }) => line).join('\n');
    const statement = personTableSql(walk, edges, text, format, writtenAs(format, { withHeader }));
    const bytes = await bytesOrNull(
      () => clickhouse.bytes(statement, { project, work: 'export', maxResultRows: atMost }),
      ids.length,
    );
    if (bytes === null) {
      rows = Math.max(1, Math.floor(ids.length / 4));
      continue;
    }
    if (ids.length === 0) {
      yield lastChunk(bytes);
      return;
    }
    after = ids.at(-1)?.id ?? null;
    remaining -= ids.length;
    const hasMore = ids.length === atMost;
    yield { bytes, records: ids.length, last: after, hasMore };
    if (!hasMore || remaining === 0) return;
    if (format === 'csv') {
      withHeader = false;
      rows = bytes.length > bytesOfCsv ? Math.max(1, Math.floor(rows / 2)) : Math.min(rowsOfCsv.most, rows * 2);
    }
  }
}

interface PersonIds {
  readonly id: string;
  readonly line: string;
}

const idsAfter = async (
  postgres: Postgres,
  walk: Walk,
  after: string | null,
  rows: number,
): Promise<readonly PersonIds[]> => (await postgres.query<PersonIds>(idsSql(walk, after, rows))).rows;

const idsSql = ({ projectId, after: createdAfter, before }: Walk, after: string | null, rows: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT p.id, '{"id":' || p.id || ',"distinct_ids":' || to_json(ARRAY(
      SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = ${project} AND d.person_id = p.id
      ORDER BY d.position LIMIT ${bound(idsInLine)}
    )) || '}' AS line
    FROM persons AS p
    WHERE p.project_id = ${project} AND p.id > ${bound(after ?? '0')}::bigint
      ${createdAfter === null ? pgSql`` : pgSql`AND p.created_at > ${bound(createdAfter)}::timestamptz`}
      ${before === null ? pgSql`` : pgSql`AND p.created_at < ${bound(before)}::timestamptz`}
    ORDER BY p.id LIMIT ${bound(rows)}::integer`;
};
