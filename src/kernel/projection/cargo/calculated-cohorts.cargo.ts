import { cohortMembersTable } from '../schema/projected-tables.js';
import { type Cargo } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

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
