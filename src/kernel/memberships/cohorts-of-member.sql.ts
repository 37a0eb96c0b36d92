import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { chunkSize } from './member-chunks.js';

/** Selects the cohorts of which a person or group is a member now, ascending, as an array: a sub-select of a statement of PostgreSQL. */
export const cohortsOfMember = (project: ReturnType<typeof bound>, member: PgSql, cohorts: PgSql): PgSql => {
  const size = bound(chunkSize);
  return pgSql`ARRAY(
    SELECT m.cohort_id FROM cohort_member_chunks AS m
    WHERE m.project_id = ${project} AND m.cohort_id = ANY (${cohorts}::integer[])
      AND m.chunk = ${member} / ${size}::integer AND get_bit(m.bits, ${member} % ${size}::integer) = 1
    ORDER BY m.cohort_id)`;
};
