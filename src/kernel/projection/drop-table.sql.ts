import { onCluster, storedTable, type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, identifier, sql } from '../../platform/clickhouse/sql.js';

/** Drops all that `table()` creates. */
export const dropTable = (form: SchemaForm, name: string): Sql[] => [
  ...(form.cluster === null ? [] : [sql`DROP TABLE IF EXISTS ${identifier(name)}${onCluster(form)} SYNC`]),
  sql`DROP TABLE IF EXISTS ${storedTable(form, name)}${onCluster(form)} SYNC`,
];
