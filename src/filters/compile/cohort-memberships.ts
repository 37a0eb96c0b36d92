import { sql, type Sql } from '../../platform/clickhouse/sql.js';
import { integer, unsigned } from '../../platform/clickhouse/values.js';

/** The cohorts that a filter names, each with the current version of its members; null before the first version. */
export type CohortMemberships = ReadonlyMap<number, number | null>;

export const noCohorts: CohortMemberships = new Map();

/**
 * The actors in a cohort, as a sub-select. A member that was merged into another person since the calculation counts as that
 * person; its own id stays in the set, but no actor has the id any more. Redirects are never chained.
 */
export const membersOf = (memberships: CohortMemberships, cohortId: number, projectId: number): Sql => {
  const version = memberships.get(cohortId);
  if (version === undefined) throw new Error(`Cohort ${cohortId} was not resolved`);
  if (version === null) return sql`(SELECT ${integer(0)} AS actor WHERE false)`;
  const project = unsigned(projectId);
  const members = sql`
    SELECT actor FROM cohort_members
    WHERE project_id = ${project} AND cohort_id = ${unsigned(cohortId)} AND version = ${unsigned(version)}`;
  return sql`(${members}
    UNION ALL
    SELECT target AS actor FROM person_redirects FINAL
    WHERE project_id = ${project} AND source GLOBAL IN (${members}))`;
};
