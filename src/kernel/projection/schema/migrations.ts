import { type Migration } from '../../../platform/clickhouse/schema/migrate.js';
import { sql } from '../../../platform/clickhouse/sql.js';
import { addColumn, table } from '../../../platform/clickhouse/schema/table.js';
import {
  cohortMembersTable,
  eventColumnsOfFirst,
  eventsTable,
  groupsTable,
  overridesTable,
  personsTable,
  redirectsTable,
} from './projected-tables.js';

const firstTables = [
  cohortMembersTable,
  { ...eventsTable, columns: eventColumnsOfFirst },
  overridesTable,
  redirectsTable,
  personsTable,
];

/** A released migration is never edited: a change is a new entry at the end. */
export const clickhouseMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'the projected tables',
    statements: (form) => firstTables.flatMap((definition) => table(form, definition)),
  },
  {
    version: 2,
    name: 'groups',
    statements: (form) => [...table(form, groupsTable), ...addColumn(form, eventsTable, sql`groups Map(UInt8, Int64)`)],
  },
  {
    version: 3,
    // Changes no table. A worker of an earlier release, which would take members of static cohorts of groups for removed ones,
    // ships nothing from now on.
    name: 'cohorts of groups',
    statements: () => [],
  },
];
