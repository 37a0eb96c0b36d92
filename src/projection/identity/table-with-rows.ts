import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { knownTables } from '../../stores/clickhouse/schema/known-tables.sql.js';
import { identifier, sql } from '../../stores/clickhouse/sql.js';

/** The name of a table of an existing database that has rows; null when it is empty. */
export const tableWithRows = async (clickhouse: ClickHouse): Promise<string | null> => {
  const tables = await clickhouse.query<{ name: string }>(
    sql`SELECT DISTINCT name FROM ${knownTables(clickhouse.form)} WHERE name IN ('events', 'persons', 'cohort_members') ORDER BY name = 'events' DESC, name`,
    { project: 'system' },
  );
  for (const { name } of tables) {
    const rows = await clickhouse.query(sql`SELECT 1 AS one FROM ${identifier(name)} LIMIT 1`, { project: 'system' });
    if (rows.length > 0) return name;
  }
  return null;
};
