import { cohortMembersTable } from '../../stores/clickhouse/schema/projected-tables.js';
import { join, sql } from '../../stores/clickhouse/sql.js';
import { integer, unsigned } from '../../stores/clickhouse/values.js';
import { type Cargo } from './cargo.js';

/** Members of a static cohort come and go one by one, so there is one version of them. */
export const staticCohortVersion = 1;

export const staticMemberKey = (cohortId: number, personId: string): string => `${cohortId}:${personId}`;

const partsOf = (key: string): { readonly cohortId: string; readonly personId: string } => {
  const [cohortId = '', personId = ''] = key.split(':');
  return { cohortId, personId };
};

/** Key by key, for the reason that events are. */
const select = `
  SELECT wanted.key FROM unnest($2::text[], $3::integer[], $4::bigint[]) AS wanted (key, cohort_id, person_id)
  CROSS JOIN LATERAL (
    SELECT FROM static_cohort_members
    WHERE project_id = $1 AND cohort_id = wanted.cohort_id AND person_id = wanted.person_id LIMIT 1
  ) m`;

/** Members as they are now; who is none any more is taken out. One that is there twice counts once. */
export const staticCohortsCargo: Cargo = {
  kind: 'static_cohorts',
  table: cohortMembersTable,
  sizes: null,
  read: async (reader, projectId, keys) => {
    const parts = keys.map(partsOf);
    const cohortIds = parts.map(({ cohortId }) => cohortId);
    const personIds = parts.map(({ personId }) => personId);
    const { rows } = await reader.query<{ key: string }>({
      name: 'projection-static-cohorts',
      text: select,
      values: [projectId, keys, cohortIds, personIds],
    });
    const found = new Set(rows.map(({ key }) => key));
    return {
      rows: rows.map(({ key }) => {
        const { cohortId, personId } = partsOf(key);
        return { project_id: projectId, cohort_id: cohortId, version: staticCohortVersion, actor: personId };
      }),
      gone: keys.filter((key) => !found.has(key)),
    };
  },
  isGone: (keys) => {
    const members = keys.map(partsOf).map(({ cohortId, personId }) => {
      return sql`(${unsigned(BigInt(cohortId))}, ${integer(BigInt(personId))})`;
    });
    return sql`version = ${unsigned(staticCohortVersion)} AND (cohort_id, actor) IN (${join(members)})`;
  },
};
