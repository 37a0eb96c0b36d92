import { sql, type Sql } from '../stores/clickhouse/sql.js';
import { integer, unsigned } from '../stores/clickhouse/values.js';

/** The cohorts that a filter names, each with the version of its members that counts now; null before the first. */
export type CohortMemberships = ReadonlyMap<number, number | null>;

export const noCohorts: CohortMemberships = new Map();

/** Merges in a row that are followed. A cohort is calculated anew long before a person has been absorbed so often. */
const maxMerges = 16;

/**
 * The actors in a cohort, as a sub-select. A member that another person absorbed since the calculation counts for that
 * person; its own id stays in the set, where nobody acts under it any more.
 */
export const membersOf = (memberships: CohortMemberships, cohortId: number, projectId: number): Sql => {
  const version = memberships.get(cohortId);
  if (version === undefined) throw new Error(`Cohort ${cohortId} was not resolved`);
  if (version === null) return sql`(SELECT ${integer(0)} AS actor WHERE false)`;
  const project = unsigned(projectId);
  return sql`(
    WITH RECURSIVE members AS (
      SELECT actor, 0 AS merges FROM cohort_members
      WHERE project_id = ${project} AND cohort_id = ${unsigned(cohortId)} AND version = ${unsigned(version)}
      UNION ALL
      SELECT r.target AS actor, m.merges + 1 AS merges
      FROM members AS m
      GLOBAL INNER JOIN (SELECT source, target FROM person_redirects FINAL WHERE project_id = ${project}) AS r
        ON r.source = m.actor
      WHERE m.merges < ${unsigned(maxMerges)})
    SELECT actor FROM members)`;
};
