import { type RemovedRows } from '../../projects/deletion/project-deletion.entity.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { eventsTable } from '../../stores/clickhouse/schema/projected-tables.js';
import {
  countProjectedSql,
  projectedDaysSql,
  projectedTables,
  removeDaysSql,
  removeProjectedSql,
} from './projected-rows.sql.js';

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

/** `demandContinuing` throws when this process must not go on. */
export const removeProjectedRows = async (
  clickhouse: ClickHouse,
  projectId: number,
  demandContinuing: () => void,
): Promise<void> => {
  const days = await clickhouse.query<Counted & { readonly day: string }>(projectedDaysSql(projectId), asSystem);
  for (const { first, last } of daysTogether(days)) {
    demandContinuing();
    await clickhouse.command(removeDaysSql(clickhouse.form, projectId, first, last));
  }
  for (const definition of projectedTables) {
    demandContinuing();
    if (definition !== eventsTable)
      await clickhouse.command(removeProjectedSql(clickhouse.form, definition, projectId));
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
