import { cohortMembersTable } from '../schema/projected-tables.js';
import { integer, list, sql, unsigned } from '../../../platform/clickhouse/sql.js';
import { type Cargo } from './cargo.js';
import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';

/** Members of a static cohort are added and removed one by one, so they have only one version. */
export const staticCohortVersion = 1;

export const staticMemberKey = (cohortId: number, memberId: string): string => `${cohortId}:${memberId}`;

const partsOf = (key: string): { readonly cohortId: string; readonly memberId: string } => {
  const [cohortId = '', memberId = ''] = key.split(':');
  return { cohortId, memberId };
};

/**
 * Reads key by key, because the planner would otherwise join with the whole project. A cohort has either persons or groups, so
 * a key is in one of the two tables at most.
 */
const selectPresent = (projectId: number, keys: readonly string[]): PgSql => {
  const parts = keys.map(partsOf);
  const cohortIds = parts.map(({ cohortId }) => cohortId);
  const memberIds = parts.map(({ memberId }) => memberId);
  return pgSql`
    SELECT requested.key
    FROM unnest(${bound(keys)}::text[], ${bound(cohortIds)}::integer[], ${bound(memberIds)}::bigint[])
      AS requested (key, cohort_id, member_id)
    CROSS JOIN LATERAL (
      SELECT FROM static_cohort_members
      WHERE project_id = ${bound(projectId)} AND cohort_id = requested.cohort_id AND person_id = requested.member_id
      UNION ALL
      SELECT FROM static_cohort_groups
      WHERE project_id = ${bound(projectId)} AND cohort_id = requested.cohort_id AND group_id = requested.member_id LIMIT 1
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
        const { cohortId, memberId } = partsOf(key);
        return { project_id: projectId, cohort_id: cohortId, version: staticCohortVersion, actor: memberId };
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
    const memberIds = list(
      integer,
      parts.map(({ memberId }) => BigInt(memberId)),
    );
    return sql`version = ${unsigned(staticCohortVersion)} AND (cohort_id, actor) IN arrayZip(${cohortIds}, ${memberIds})`;
  },
};

/**
 * A key, which stands for up to 1,024 rows, counts as this large, so that an insert has at most some 8,000 rows: requests need
 * this thread too.
 */
const bytesOfKey = 1024 ** 2;

/**
 * Reads key by key, because the planner would otherwise join with the whole project. The lowest bit of the first byte is the
 * first person.
 */
const selectMembers = (projectId: number, keys: readonly string[]): PgSql => {
  const parts = keys.map((key) => key.split(':'));
  const [cohortIds, versions, chunks] = [0, 1, 2].map((at) => parts.map((part) => part[at] ?? ''));
  return pgSql`
    SELECT requested.cohort_id, requested.version, requested.chunk * octet_length(m.bits) * 8 + place AS actor
    FROM unnest(${bound(cohortIds)}::integer[], ${bound(versions)}::integer[], ${bound(chunks)}::bigint[])
      AS requested (cohort_id, version, chunk)
    CROSS JOIN LATERAL (
      SELECT bits FROM cohort_member_chunks
      WHERE project_id = ${bound(projectId)} AND cohort_id = requested.cohort_id AND chunk = requested.chunk LIMIT 1
    ) AS m
    CROSS JOIN LATERAL generate_series(0, octet_length(m.bits) * 8 - 1) AS place
    WHERE get_bit(m.bits, place) = 1 AND EXISTS (
      SELECT FROM cohorts AS c
      WHERE c.project_id = ${bound(projectId)} AND c.id = requested.cohort_id AND c.version = requested.version)`.named(
    'projection-calculated-cohorts',
  );
};

interface MemberRow {
  readonly cohort_id: number;
  readonly version: number;
  readonly actor: string;
}

/**
 * The members of a calculated cohort as PostgreSQL has recorded them, by `cohort:version:chunk`, for a ClickHouse that has lost
 * them. The members of a later version come from its calculation.
 */
export const calculatedCohortsCargo: Cargo = {
  kind: 'calculated_cohorts',
  table: cohortMembersTable,
  sizes: (_reader, _projectId, keys) => Promise.resolve(keys.map(() => bytesOfKey)),
  read: async (reader, projectId, keys) => {
    const { rows } = await reader.query<MemberRow>(selectMembers(projectId, keys));
    return { rows: rows.map((row) => ({ project_id: projectId, ...row })), gone: [] };
  },
};
