import { thisProject, type Reader } from './cargo.js';

/** Key by key, for the reason that events are. */
const select = `
  SELECT wanted.distinct_id, d.person_id FROM unnest($2::text[]) AS wanted (distinct_id)
  CROSS JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids WHERE project_id = ${thisProject} AND distinct_id = wanted.distinct_id LIMIT 1
  ) d`;

/** Distinct id → the person it belongs to at this moment. */
export const ownersOf = async (
  reader: Reader,
  projectId: number,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await reader.query<{ distinct_id: string; person_id: string }>({
    name: 'projection-owners',
    text: select,
    values: [projectId, distinctIds],
  });
  return new Map(rows.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
};
