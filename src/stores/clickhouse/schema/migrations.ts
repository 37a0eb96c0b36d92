import { type Migration } from './migrate.js';
import { cohortMembersTable, eventsTable, overridesTable, personsTable, redirectsTable } from './projected-tables.js';
import { table } from './table.js';

/** A released migration is never edited: a change is a new entry at the end. */
export const clickhouseMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'events, persons and identity overrides',
    statements: (form) => [eventsTable, personsTable, overridesTable].flatMap((definition) => table(form, definition)),
  },
  {
    version: 2,
    name: 'members of cohorts, and who absorbed whom',
    statements: (form) => [cohortMembersTable, redirectsTable].flatMap((definition) => table(form, definition)),
  },
];
