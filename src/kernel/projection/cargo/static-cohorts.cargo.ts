import { cohortMembersTable } from '../schema/projected-tables.js';
import { integer, list, sql, unsigned } from '../../../platform/clickhouse/sql.js';
import { type Cargo } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** Members of a static cohort are added and removed one by one, so they have only one version. */
export const staticCohortVersion = 1;

export const staticMemberKey = (cohortId: number, personId: string): string => `${cohortId}:${personId}`;

const partsOf = (key: string): { readonly cohortId: string; readonly personId: string } => {
  const [cohortId = '', personId = ''] = key.split(':');
  return { cohortId, personId };
};

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectPresent = (projectId: number, keys: readonly string[]): PgSql => {
  const parts = keys.map(partsOf);
  const cohortIds = parts.map(({ cohortId }) => cohortId);
  const personIds = parts.map(({ personId }) => personId);
  return pgSql`
    SELECT requested.key
    FROM unnest(${bound(keys)}::text[], ${bound(cohortIds)}::integer[], ${bound(personIds)}::bigint[])
      AS requested (key, cohort_id, person_id)
    CROSS JOIN LATERAL (
      SELECT FROM static_cohort_members
      WHERE project_id = ${bound(projectId)} AND cohort_id = requested.cohort_id AND person_id = requested.person_id LIMIT 1
    ) m`.named('projection-static-cohorts');
};

/** Members as they are now; former members are removed. A member that is stored twice counts once. */
export const staticCohortsCargo: Cargo = {
  kind: 'static_cohorts',
  table: cohortMembersTable,
  sizes: null,
  read: async (reader, projectId, keys) => {
    const { rows } = await reader.query<{ key: string }>(selectPresent(projectId, keys));
    const present = new Set(rows.map(({ key }) => key));
    return {
      rows: rows.map(({ key }) => {
        const { cohortId, personId } = partsOf(key);
        return { project_id: projectId, cohort_id: cohortId, version: staticCohortVersion, actor: personId };
      }),
      gone: keys.filter((key) => !present.has(key)),
    };
  },
  // Two lists, because one condition for each member would be too long for the engine.
  isGone: (keys) => {
    const parts = keys.map(partsOf);
    const cohortIds = list(
      unsigned,
      parts.map(({ cohortId }) => BigInt(cohortId)),
    );
    const personIds = list(
      integer,
      parts.map(({ personId }) => BigInt(personId)),
    );
    return sql`version = ${unsigned(staticCohortVersion)} AND (cohort_id, actor) IN arrayZip(${cohortIds}, ${personIds})`;
  },
};
