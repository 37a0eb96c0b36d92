import { cohortGroupsTable, cohortPeopleTable, cohortsTable } from './cohorts.sql.js';
import { queriedEvents } from './events.sql.js';
import { queriedGroups } from './groups.sql.js';
import { personDistinctIdsTable, queriedPersons } from './persons.sql.js';
import { sessionsTable } from './sessions.sql.js';
import { type QueryTable } from './table.js';

export const allTables: readonly QueryTable[] = [
  queriedEvents,
  queriedPersons,
  personDistinctIdsTable,
  queriedGroups,
  cohortsTable,
  cohortPeopleTable,
  cohortGroupsTable,
  sessionsTable,
];

export const tableOf = (name: string): QueryTable | null => allTables.find((table) => table.name === name) ?? null;
