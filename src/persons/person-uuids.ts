import { type Queryable } from '../stores/postgres/postgres.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

/** The uuids of persons by id, also of merged ones; deleted persons have none. */
export const personUuids = async (
  reader: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const [project, list] = [bound(projectId), bound([...new Set(ids)])];
  const { rows } = await reader.query<{ id: string; uuid: string }>(
    pgSql`SELECT input.id, coalesce(p.uuid, r.uuid) AS uuid FROM unnest(${list}::bigint[]) AS input (id)
     LEFT JOIN LATERAL (SELECT uuid FROM persons WHERE project_id = ${project} AND id = input.id LIMIT 1) AS p ON true
     LEFT JOIN LATERAL (SELECT uuid FROM person_redirects WHERE project_id = ${project} AND source = input.id LIMIT 1) AS r
       ON p.uuid IS NULL
     WHERE coalesce(p.uuid, r.uuid) IS NOT NULL`.named('person-uuids'),
  );
  return new Map(rows.map(({ id, uuid }) => [Number(id), uuid]));
};
