import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ChangeReason } from './cohort-change.entity.js';
import { packIds } from './member-chunks.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

/** Persons who entered or left one cohort for one reason; of a cohort of groups, `persons` are the ids of groups. */
export interface MemberChange {
  readonly cohortId: number;
  readonly reason: ChangeReason;
  readonly entered: boolean;
  /** Ascending. */
  readonly persons: readonly number[];
}

/** The most persons in one row: few enough to be read at once, enough that the other columns cost little. */
const personsPerRow = 1000;
const rowsPerStatement = 100;

const rowsOf = (change: MemberChange): MemberChange[] => {
  const rows: MemberChange[] = [];
  for (let from = 0; from < change.persons.length; from += personsPerRow)
    rows.push({ ...change, persons: change.persons.slice(from, from + personsPerRow) });
  return rows;
};

/** Appends to the history of cohorts. The members of the project must be locked. */
export const appendChanges = async (
  client: ClientBase,
  projectId: number,
  changes: readonly MemberChange[],
): Promise<void> => {
  const rows = changes.flatMap(rowsOf);
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement);
    await client.query(
      pgSql`INSERT INTO cohort_changes (project_id, cohort_id, at, reason, entered, count, persons)
       SELECT ${bound(projectId)}, c.cohort_id, clock_timestamp(), c.reason, c.entered, c.count, c.persons
       FROM unnest(${bound(some.map(({ cohortId }) => cohortId))}::integer[], ${bound(some.map(({ reason }) => reason))}::text[],
         ${bound(some.map(({ entered }) => entered))}::boolean[], ${bound(some.map(({ persons }) => persons.length))}::integer[],
         ${bound(some.map(({ persons }) => packIds(persons)))}::bytea[])
         WITH ORDINALITY AS c (cohort_id, reason, entered, count, persons, place)
       ORDER BY c.place`.named('members-append'),
    );
  }
};

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
    // The same statement notes in the cohort what is gone, so that no reader misses a change without notice.
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
  await postgres.query(pgSql`DELETE FROM group_departures WHERE departed_at < ${departures}`);
};
