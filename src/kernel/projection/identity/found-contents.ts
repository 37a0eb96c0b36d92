import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { knownTables } from '../../../platform/clickhouse/schema/known-tables.sql.js';
import {
  cohortMembersTable,
  eventsTable,
  groupsTable,
  overridesTable,
  personsTable,
  redirectsTable,
} from '../schema/projected-tables.js';
import { identifier, join, list, sql, text } from '../../../platform/clickhouse/sql.js';

/** Returns those of the tables that the database has, in the given order. */
const existing = async (clickhouse: ClickHouse, names: readonly string[]): Promise<string[]> => {
  const found = await clickhouse.query<{ name: string }>(
    sql`SELECT DISTINCT name FROM ${knownTables(clickhouse.form)} WHERE name IN (${list(text, names)})`,
    { project: 'system' },
  );
  return names.filter((name) => found.some((table) => table.name === name));
};

const tellingTables = [eventsTable.name, cohortMembersTable.name, personsTable.name];

/** Returns the name of a table that has rows; null when the database is empty. */
export const tableWithRows = async (clickhouse: ClickHouse): Promise<string | null> => {
  for (const name of await existing(clickhouse, tellingTables)) {
    const rows = await clickhouse.query(sql`SELECT 1 AS one FROM ${identifier(name)} LIMIT 1`, { project: 'system' });
    if (rows.length > 0) return name;
  }
  return null;
};

const numberedTables = [eventsTable, personsTable, overridesTable, redirectsTable, groupsTable].map(({ name }) => name);

/** The largest number of a shipment that has inserted a row which still exists. */
export const newestShipped = async (clickhouse: ClickHouse): Promise<bigint> => {
  const tables = await existing(clickhouse, numberedTables);
  if (tables.length === 0) return 0n;
  const newest = tables.map((name) => sql`SELECT max(version) AS number FROM ${identifier(name)}`);
  const [row] = await clickhouse.query<{ number: string }>(
    sql`SELECT toString(max(number)) AS number FROM (${join(newest, sql` UNION ALL `)})`,
    { project: 'system' },
  );
  return BigInt(row?.number ?? 0);
};
