import { onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { eventsTable } from '../../kernel/projection/schema/projected-tables.js';
import { type SchemaForm, type TableDefinition } from '../../platform/clickhouse/schema/table.js';
import { type Sql, day, identifier, sql, unsigned } from '../../platform/clickhouse/sql.js';

export const anyRemainingSql = (form: SchemaForm, { name }: TableDefinition, projectId: number): Sql =>
  sql`SELECT 1 FROM ${onEveryReplica(form, name)} WHERE project_id = ${unsigned(projectId)} LIMIT 1`;

export const countProjectedSql = ({ name }: TableDefinition, projectId: number): Sql =>
  sql`SELECT count() AS number FROM ${identifier(name)} WHERE project_id = ${unsigned(projectId)}`;

/** Selects the days on which the project has events, with their numbers. */
export const projectedDaysSql = (projectId: number): Sql => sql`
  SELECT toString(toDate32(timestamp)) AS day, count() AS number FROM ${identifier(eventsTable.name)}
  WHERE project_id = ${unsigned(projectId)} GROUP BY day ORDER BY day`;

export const onDaysSql = (projectId: number, first: string, last: string): Sql =>
  sql`project_id = ${unsigned(projectId)} AND toDate32(timestamp) BETWEEN ${day(first)} AND ${day(last)}`;

export const ofProjectSql = (projectId: number): Sql => sql`project_id = ${unsigned(projectId)}`;
