import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { ClickHouseUnavailable, engineCode } from '../../../platform/clickhouse/errors.js';
import { table, type TableDefinition } from '../../../platform/clickhouse/schema/table.js';
import { type ProjectedRow } from '../cargo/cargo.js';
import { dropTable } from '../drop-table.sql.js';

/** The engine was reachable and refused the statement. */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof ClickHouseUnavailable) && engineCode(error) !== null;

export const bare = (row: ProjectedRow): ProjectedRow => ({ ...row, properties: {} });

/**
 * Returns the rows that ClickHouse refuses for their properties. They are found on a separate table, because the parts of
 * a chunk that went into the real one would be inserted again by the next attempt. Returns nothing when the refusal has
 * another reason.
 */
export const refusedRows = async (
  clickhouse: ClickHouse,
  definition: TableDefinition,
  rows: readonly ProjectedRow[],
): Promise<ProjectedRow[]> => {
  const name = `${definition.name}_trial`;
  const run = async (statements: ReturnType<typeof dropTable>) => {
    for (const statement of statements) await clickhouse.command(statement);
  };
  const accepts = async (some: readonly ProjectedRow[]): Promise<boolean> => {
    try {
      await clickhouse.insert(name, some);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  const bisect = async (some: readonly ProjectedRow[]): Promise<ProjectedRow[]> => {
    if (await accepts(some)) return [];
    if (some.length === 1) return [...some];
    const middle = Math.ceil(some.length / 2);
    return [...(await bisect(some.slice(0, middle))), ...(await bisect(some.slice(middle)))];
  };
  await run([...dropTable(clickhouse.form, name), ...table(clickhouse.form, { ...definition, name })]);
  try {
    return (await accepts(rows.map(bare))) ? await bisect(rows) : [];
  } finally {
    await run(dropTable(clickhouse.form, name));
  }
};
