import { type Removal } from '../../kernel/event-log/removal/remove-events.js';
import { ownersOf } from '../../kernel/projection/cargo/owners.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { ClickHouseUnavailable } from '../../platform/clickhouse/errors.js';
import { overridesTable } from '../../kernel/projection/schema/projected-tables.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { sql } from '../../platform/clickhouse/sql.js';
import { list, text, unsigned } from '../../platform/clickhouse/values.js';
import { type Queryable } from '../../platform/postgres/postgres.js';

/**
 * Removes the overrides of distinct ids without a person. Once ClickHouse has none of their events, the override is its last
 * trace of the id. An id that has a person again keeps its row, and so does an id that gets a person meanwhile: its row then
 * has a later version than the rows that were looked up before the owners.
 */
export const forgetOverrides = async (
  postgres: Queryable,
  clickhouse: ClickHouse,
  projectId: number,
  { distinctIds }: Removal,
): Promise<void> => {
  const overrides = onEveryReplica(clickhouse.form, overridesTable.name);
  const ofProject = sql`project_id = ${unsigned(projectId)}`;
  const [latest] = await clickhouse.query<{ version: string | null }>(
    sql`SELECT toString(max(version)) AS version FROM ${overrides}
      WHERE ${ofProject} AND distinct_id IN (${list(text, distinctIds)})`,
    { project: 'system' },
  );
  const owners = await ownersOf(postgres, projectId, distinctIds);
  const free = distinctIds.filter((id) => !owners.has(id));
  const version = BigInt(latest?.version ?? '0');
  if (free.length === 0 || version === 0n) return;
  const gone = sql`${ofProject} AND version <= ${unsigned(version)} AND distinct_id IN (${list(text, free)})`;
  await removeWhere(clickhouse, overridesTable.name, gone);
  const remaining = await clickhouse.query(sql`SELECT 1 FROM ${overrides} WHERE ${gone} LIMIT 1`, {
    project: 'system',
  });
  if (remaining.length > 0) throw new ClickHouseUnavailable('A replica has not removed overrides yet');
};
