import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type ChangeReason } from './cohort-change.entity.js';
import { packIds } from './person-ids.js';

/** Persons who entered or left one cohort for one reason. */
export interface MemberChange {
  readonly cohortId: number;
  readonly reason: ChangeReason;
  readonly entered: boolean;
  /** Ascending. */
  readonly persons: readonly number[];
}

/** Persons in one row: few enough to be read at once, enough that the columns beside them cost little. */
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
