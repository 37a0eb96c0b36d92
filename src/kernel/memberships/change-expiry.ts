import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

const dayMs = 24 * 3_600_000;
/** Changes can be read for this long. */
export const changeLifetimeDays = 90;
const departureLifetimeDays = 3;
const rowsAtOnce = 5000;

/** Removes changes and departures that are no longer read. */
export const forgetOldChanges = async (postgres: Postgres, now: Date): Promise<void> => {
  const changes = bound(new Date(now.getTime() - changeLifetimeDays * dayMs));
  const departures = bound(new Date(now.getTime() - departureLifetimeDays * dayMs));
  let removed: number;
  do {
    // A cohort learns of it in the same statement, so that no reader misses a change without notice.
    const { rowCount } = await postgres.query(
      pgSql`WITH old AS (
         SELECT project_id, cohort_id, id FROM cohort_changes WHERE at < ${changes} ORDER BY at LIMIT ${bound(rowsAtOnce)}
       ), gone AS (
         DELETE FROM cohort_changes AS c USING old
         WHERE c.project_id = old.project_id AND c.cohort_id = old.cohort_id AND c.id = old.id
         RETURNING c.project_id, c.cohort_id, c.id
       ), noted AS (
         UPDATE cohorts AS c SET forgotten_change = last.id, changes_from = greatest(c.changes_from, ${changes})
         FROM (SELECT project_id, cohort_id, max(id) AS id FROM gone GROUP BY 1, 2) AS last
         WHERE c.project_id = last.project_id AND c.id = last.cohort_id
       )
       SELECT FROM gone`,
    );
    removed = rowCount ?? 0;
  } while (removed === rowsAtOnce);
  await postgres.query(pgSql`DELETE FROM person_departures WHERE departed_at < ${departures}`);
};
