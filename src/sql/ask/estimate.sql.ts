import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, identifier, sql } from '../../platform/clickhouse/sql.js';

/**
 * The rows that a question would read of each table. On a cluster a server knows its own shard only, which has as many rows of a
 * project as any other.
 */
export const estimateSql = ({ cluster }: Pick<SchemaForm, 'cluster'>, question: Sql): Sql =>
  cluster === null
    ? sql`EXPLAIN ESTIMATE ${question}`
    : sql`
  SELECT table, rows * (SELECT count() FROM cluster(${identifier(cluster)}, system.one)) AS rows
  FROM (EXPLAIN ESTIMATE ${question}) SETTINGS prefer_localhost_replica = 1`;
