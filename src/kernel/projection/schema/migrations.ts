import { type Migration } from '../../../platform/clickhouse/schema/migrate.js';
import { projectedTables } from './projected-tables.js';
import { table } from '../../../platform/clickhouse/schema/table.js';

/** A released migration is never edited: a change is a new entry at the end. */
export const clickhouseMigrations: readonly Migration[] = [
  {
    version: 1,
    name: 'the projected tables',
    statements: (form) => projectedTables.flatMap((definition) => table(form, definition)),
  },
];
