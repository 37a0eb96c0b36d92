import { type RemovedRows } from '../../kernel/projects/project-deletion.entity.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { eventsTable, projectedTables } from '../../kernel/projection/schema/projected-tables.js';
import { countProjectedSql, anyRemainingSql, ofProjectSql, onDaysSql, projectedDaysSql } from './projected-rows.sql.js';

/** One statement removes about so many events: questions wait for it. */
const eventsAtOnce = 200_000;
const asSystem = { project: 'system' } as const;

interface Counted {
  readonly number: number;
}

/** The tables of ClickHouse that have rows of the project, with the numbers of rows. */
export const countProjectedRows = async (clickhouse: ClickHouse, projectId: number): Promise<RemovedRows> => {
  const counts: Record<string, number> = {};
  for (const definition of projectedTables) {
    const [counted] = await clickhouse.query<Counted>(countProjectedSql(definition, projectId), asSystem);
    if (counted && counted.number > 0) counts[definition.name] = counted.number;
  }
  return counts;
};

/** True if any replica has a row of the project; fails when one does not answer. */
export const hasProjectedRows = async (clickhouse: ClickHouse, projectId: number): Promise<boolean> => {
  for (const definition of projectedTables) {
    const rows = await clickhouse.query(anyRemainingSql(clickhouse.form, definition, projectId), asSystem);
    if (rows.length > 0) return true;
  }
  return false;
};

/** `assertContinuing` throws when this process must not go on. */
export const removeProjectedRows = async (
  clickhouse: ClickHouse,
  projectId: number,
  assertContinuing: () => void,
): Promise<void> => {
  const days = await clickhouse.query<Counted & { readonly day: string }>(projectedDaysSql(projectId), asSystem);
  for (const { first, last } of daysTogether(days)) {
    assertContinuing();
    await removeWhere(clickhouse, eventsTable.name, onDaysSql(projectId, first, last));
  }
  for (const definition of projectedTables) {
    assertContinuing();
    if (definition !== eventsTable) await removeWhere(clickhouse, definition.name, ofProjectSql(projectId));
  }
};

/** Neighbouring days with about as many events as one statement may remove. */
const daysTogether = (days: readonly (Counted & { readonly day: string })[]) => {
  const together: { first: string; last: string; number: number }[] = [];
  for (const { day, number } of days) {
    const open = together.at(-1);
    if (open && open.number + number <= eventsAtOnce) Object.assign(open, { last: day, number: open.number + number });
    else together.push({ first: day, last: day, number });
  }
  return together;
};
