import { cohortPeopleTable, cohortsTable } from './cohorts.sql.js';
import { eventsTable } from './events.sql.js';
import { personDistinctIdsTable, personsTable } from './persons.sql.js';
import { sessionsTable } from './sessions.sql.js';
import { type TableDefinition } from './table.js';

export const allTables: readonly TableDefinition[] = [
  eventsTable,
  personsTable,
  personDistinctIdsTable,
  cohortsTable,
  cohortPeopleTable,
  sessionsTable,
];

export const tableOf = (name: string): TableDefinition | null => allTables.find((table) => table.name === name) ?? null;
