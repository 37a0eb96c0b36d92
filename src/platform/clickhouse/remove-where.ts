import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouse } from './client.js';
import { ClickHouseUnavailable } from './errors.js';
import { commandTimeoutMs } from './limits.js';
import { onCluster, storedTable } from './schema/table.js';
import { type Sql, identifier, sql } from './sql.js';

const removedWithinMs = 60_000;
const lookAgainMs = 100;

/**
 * Removes rows of a table. On a cluster it returns when no shard answers with such a row any more. This alone does not prove that
 * the rows are gone: a replica that is away removes them only when it is back.
 */
export const removeWhere = async (
  clickhouse: ClickHouse,
  table: string,
  where: Sql,
  withinMs = removedWithinMs,
): Promise<void> => {
  const { form } = clickhouse;
  await clickhouse.remove(sql`DELETE FROM ${storedTable(form, table)}${onCluster(form)} WHERE ${where}`);
  if (form.cluster === null) return;
  const left = sql`SELECT 1 FROM ${identifier(table)} WHERE ${where} LIMIT 1`;
  for (const end = performance.now() + withinMs; ; await sleep(lookAgainMs)) {
    const rows = await clickhouse.query(left, { project: 'system', timeoutMs: commandTimeoutMs });
    if (rows.length === 0) return;
    if (performance.now() > end) throw new ClickHouseUnavailable(`A shard has not removed rows of ${table} yet`);
  }
};
