import { redirectsTable } from '../../stores/clickhouse/schema/projected-tables.js';
import { type Cargo } from './cargo.js';

/** Key by key, for the reason that events are. */
const select = `
  SELECT wanted.source, r.target FROM unnest($2::bigint[]) AS wanted (source)
  CROSS JOIN LATERAL (SELECT target FROM person_redirects WHERE project_id = $1 AND source = wanted.source LIMIT 1) r`;

/** Who has what absorbed persons had. */
export const redirectsCargo: Cargo = {
  kind: 'redirects',
  table: redirectsTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<{ source: string; target: string }>({
      name: 'projection-redirects',
      text: select,
      values: [projectId, keys],
    });
    return { rows: rows.map(({ source, target }) => ({ project_id: projectId, source, target, version })), gone: [] };
  },
};
