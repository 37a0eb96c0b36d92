import { thisProject, type Reader } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** Reads key by key, for the same reason as the cargo of events. */
const selectByDistinctId = (projectId: number, distinctIds: readonly string[]): PgSql =>
  pgSql`
  SELECT requested.distinct_id, d.person_id FROM unnest(${bound(distinctIds)}::text[]) AS requested (distinct_id)
  CROSS JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids
    WHERE project_id = ${thisProject(projectId)} AND distinct_id = requested.distinct_id LIMIT 1
  ) d`.named('projection-owners');

/** Maps each distinct id to the person it belongs to at this moment. */
export const ownersOf = async (
  reader: Reader,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await reader.query<{ distinct_id: string; person_id: string }>(
    selectByDistinctId(projectId, distinctIds),
  );
  return new Map(rows.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
};
