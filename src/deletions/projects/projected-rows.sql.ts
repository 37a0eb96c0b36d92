import {
  cohortMembersTable,
  eventsTable,
  overridesTable,
  personsTable,
  redirectsTable,
} from '../../stores/clickhouse/schema/projected-tables.js';
import { onCluster, storedTable, type SchemaForm, type TableDefinition } from '../../stores/clickhouse/schema/table.js';
import { identifier, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { day, unsigned } from '../../stores/clickhouse/values.js';

/** Every table of ClickHouse that has rows of a project; a test compares the list with the schema. */
export const projectedTables: readonly TableDefinition[] = [
  cohortMembersTable,
  eventsTable,
  overridesTable,
  redirectsTable,
  personsTable,
];

export const countProjectedSql = ({ name }: TableDefinition, projectId: number): Sql =>
  sql`SELECT count() AS number FROM ${identifier(name)} WHERE project_id = ${unsigned(projectId)}`;

/** The days of the events of a project, with their numbers. */
export const projectedDaysSql = (projectId: number): Sql => sql`
  SELECT toString(toDate32(timestamp)) AS day, count() AS number FROM ${identifier(eventsTable.name)}
  WHERE project_id = ${unsigned(projectId)} GROUP BY day ORDER BY day`;

export const removeDaysSql = (form: SchemaForm, projectId: number, first: string, last: string): Sql => sql`
  DELETE FROM ${storedTable(form, eventsTable.name)}${onCluster(form)}
  WHERE project_id = ${unsigned(projectId)} AND toDate32(timestamp) BETWEEN ${day(first)} AND ${day(last)}`;

export const removeProjectedSql = (form: SchemaForm, definition: TableDefinition, projectId: number): Sql =>
  sql`DELETE FROM ${storedTable(form, definition.name)}${onCluster(form)} WHERE project_id = ${unsigned(projectId)}`;
