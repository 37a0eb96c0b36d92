import { type Removal } from '../../events/removal/remove-events.js';
import { ownersOf } from '../../projection/cargo/owners.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { overridesTable } from '../../stores/clickhouse/schema/projected-tables.js';
import { onCluster, storedTable } from '../../stores/clickhouse/schema/table.js';
import { sql } from '../../stores/clickhouse/sql.js';
import { list, text, unsigned } from '../../stores/clickhouse/values.js';
import { type Queryable } from '../../stores/postgres/postgres.js';

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
  const ofProject = sql`project_id = ${unsigned(projectId)}`;
  const [latest] = await clickhouse.query<{ version: string | null }>(
    sql`SELECT toString(max(version)) AS version FROM distinct_id_overrides
      WHERE ${ofProject} AND distinct_id IN (${list(text, distinctIds)})`,
    { project: 'system' },
  );
  const owners = await ownersOf(postgres, projectId, distinctIds);
  const free = distinctIds.filter((id) => !owners.has(id));
  const version = BigInt(latest?.version ?? '0');
  if (free.length === 0 || version === 0n) return;
  await clickhouse.command(
    sql`DELETE FROM ${storedTable(clickhouse.form, overridesTable.name)}${onCluster(clickhouse.form)}
      WHERE ${ofProject} AND version <= ${unsigned(version)} AND distinct_id IN (${list(text, free)})`,
  );
};
