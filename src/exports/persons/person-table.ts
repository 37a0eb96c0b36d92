import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { type TableStores } from '../files/table-chunk.js';
import { idsInLine } from '../files/lines.sql.js';
import { tableById } from '../files/table-by-id.js';
import { personTableSql, type TableFormat } from '../files/tables.sql.js';

/** The distinct ids of at most this many persons are sent to ClickHouse in one statement. */
export const mostPersonsOfParquet = 10_000;

const rows = { first: 500, most: 4000, parquet: mostPersonsOfParquet };

/** An empty text would be an error, because the engine would find no columns in it. */
const noIds = '{"id":0,"distinct_ids":[]}';

/** Yields persons as ClickHouse writes them, in the order of their ids. PostgreSQL adds the distinct ids. */
export const personTable = (
  stores: TableStores,
  project: Pick<ProjectContext, 'id' | 'signal'>,
  walk: Walk,
  format: TableFormat,
): AsyncGenerator<Chunk> =>
  tableById<PersonIds>(stores, project, walk, format, {
    rows,
    read: (after, atMost) => idsAfter(stores.postgres, walk, after, atMost),
    statement: (edges, ids, written) => {
      const text = ids.length === 0 ? noIds : ids.map(({ line }) => line).join('\n');
      return personTableSql(walk, edges, text, format, written);
    },
  });

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

const idsSql = (
  { projectId, after: createdAfter, before, persons }: Walk,
  after: string | null,
  rows: number,
): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT p.id, '{"id":' || p.id || ',"distinct_ids":' || to_json(ARRAY(
      SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = ${project} AND d.person_id = p.id
      ORDER BY d.position LIMIT ${bound(idsInLine)}
    )) || '}' AS line
    FROM persons AS p
    WHERE p.project_id = ${project} AND p.id > ${bound(after ?? '0')}::bigint
      ${persons ? pgSql`AND p.id = ANY (${bound(persons)}::bigint[])` : pgSql``}
      ${createdAfter === null ? pgSql`` : pgSql`AND p.created_at > ${bound(createdAfter)}::timestamptz`}
      ${before === null ? pgSql`` : pgSql`AND p.created_at < ${bound(before)}::timestamptz`}
    ORDER BY p.id LIMIT ${bound(rows)}::integer`;
};
