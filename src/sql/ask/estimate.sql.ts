import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, identifier, join, sql, unsigned } from '../../platform/clickhouse/sql.js';

export interface Estimate {
  readonly table: string;
  readonly rows: number;
  readonly parts: number;
}

/**
 * Estimates the rows that a question would read of each table. On a cluster a server knows only its own shard, so its rows are
 * multiplied by the number of shards: each shard has about as many rows of a project as any other.
 */
export const estimateSql = ({ cluster }: Pick<SchemaForm, 'cluster'>, question: Sql): Sql =>
  cluster === null
    ? sql`EXPLAIN ESTIMATE ${question}`
    : sql`
  WITH (SELECT count() FROM cluster(${identifier(cluster)}, system.one)) AS shards
  SELECT table, rows * shards AS rows, parts * shards AS parts
  FROM (EXPLAIN ESTIMATE ${question}) SETTINGS prefer_localhost_replica = 1`;

/** A question that reads all rows of the project in these tables. */
export const wholeTablesSql = (project: number, tables: readonly string[]): Sql =>
  join(
    tables.map((table) => sql`SELECT project_id FROM ${identifier(table)} WHERE project_id = ${unsigned(project)}`),
    sql` UNION ALL `,
  );
