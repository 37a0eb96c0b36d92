import { type Migration } from './migrate.js';
import {
  cohortMembersTable,
  eventsTable,
  overridesTable,
  personsSearchIndex,
  personsTable,
  redirectsTable,
} from './projected-tables.js';
import { onCluster, storedTable, table, type SchemaForm } from './table.js';
import { identifier, sql, type Sql } from '../sql.js';

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
  {
    version: 3,
    name: 'persons are found by parts of their texts',
    statements: (form) => searchedPersons(form),
  },
  {
    version: 4,
    name: 'persons have their distinct ids',
    statements: (form) => personsWithDistinctIds(form),
  },
];

const personsWithDistinctIds = (form: SchemaForm): Sql[] => {
  const names = [storedTable(form, 'persons'), ...(form.cluster === null ? [] : [identifier('persons')])];
  return names.map(
    (name) => sql`ALTER TABLE ${name}${onCluster(form)} ADD COLUMN IF NOT EXISTS distinct_ids Array(String)`,
  );
};

const searchedPersons = (form: SchemaForm): Sql[] => {
  const stored = sql`${storedTable(form, 'persons')}${onCluster(form)}`;
  return [
    sql`ALTER TABLE ${stored} ADD COLUMN IF NOT EXISTS search String`,
    ...(form.cluster === null
      ? []
      : [sql`ALTER TABLE ${identifier('persons')}${onCluster(form)} ADD COLUMN IF NOT EXISTS search String`]),
    ...(form.textIndexes ? [sql`ALTER TABLE ${stored} ADD INDEX IF NOT EXISTS ${personsSearchIndex}`] : []),
  ];
};
