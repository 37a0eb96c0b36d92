import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, identifier, sql } from '../../platform/clickhouse/sql.js';

/**
 * Estimates the rows that a question would read of each table. On a cluster a server knows only its own shard, so its rows are
 * multiplied by the number of shards: each shard has about as many rows of a project as any other.
 */
export const estimateSql = ({ cluster }: Pick<SchemaForm, 'cluster'>, question: Sql): Sql =>
  cluster === null
    ? sql`EXPLAIN ESTIMATE ${question}`
    : sql`
  SELECT table, rows * (SELECT count() FROM cluster(${identifier(cluster)}, system.one)) AS rows
  FROM (EXPLAIN ESTIMATE ${question}) SETTINGS prefer_localhost_replica = 1`;
