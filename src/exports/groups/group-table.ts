import { type ProjectContext } from '../../kernel/access/project-context.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { type TableStores } from '../files/table-chunk.js';
import { tableById } from '../files/table-by-id.js';
import { groupTableSql, type TableFormat } from '../files/tables.sql.js';

export const mostGroupsOfParquet = 100_000;

const rows = { first: 500, most: 50_000, parquet: mostGroupsOfParquet };

/** Yields groups as ClickHouse writes them, in the order of their ids. */
export const groupTable = (
  stores: TableStores,
  project: Pick<ProjectContext, 'id' | 'signal'>,
  walk: Walk,
  format: TableFormat,
): AsyncGenerator<Chunk> =>
  tableById(stores, project, walk, format, {
    rows,
    read: async (after, atMost) =>
      (await stores.postgres.query<{ readonly id: string }>(idsSql(walk, after, atMost))).rows,
    statement: (edges, _ids, written) => groupTableSql(walk, edges, written),
  });

const idsSql = ({ projectId, after: createdAfter, before }: Walk, after: string | null, rows: number): PgSql => pgSql`
  SELECT g.id FROM groups AS g
  WHERE g.project_id = ${bound(projectId)} AND g.id > ${bound(after ?? '0')}::bigint
    ${createdAfter === null ? pgSql`` : pgSql`AND g.created_at > ${bound(createdAfter)}::timestamptz`}
    ${before === null ? pgSql`` : pgSql`AND g.created_at < ${bound(before)}::timestamptz`}
  ORDER BY g.id LIMIT ${bound(rows)}::integer`;
