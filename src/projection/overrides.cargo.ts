import { overridesTable } from '../stores/clickhouse/schema/projected-tables.js';
import { type Cargo } from './cargo.js';
import { personlessActor } from './personless-actor.js';

/** Key by key, for the reason that events are. */
const select = `
  SELECT wanted.distinct_id, d.person_id FROM unnest($2::text[]) AS wanted (distinct_id)
  CROSS JOIN LATERAL (
    SELECT person_id FROM person_distinct_ids WHERE project_id = $1 AND distinct_id = wanted.distinct_id LIMIT 1
  ) d`;

/** Whose the past events of a distinct id are now: its person's, or nobody's. */
export const overridesCargo: Cargo = {
  kind: 'distinct_ids',
  table: overridesTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<{ distinct_id: string; person_id: string }>({
      name: 'projection-overrides',
      text: select,
      values: [projectId, keys],
    });
    const owners = new Map(rows.map(({ distinct_id, person_id }) => [distinct_id, person_id]));
    const projected = keys.map((distinctId) => ({
      project_id: projectId,
      distinct_id: distinctId,
      actor: owners.get(distinctId) ?? personlessActor(projectId, distinctId),
      version,
    }));
    return { rows: projected, gone: [] };
  },
};
