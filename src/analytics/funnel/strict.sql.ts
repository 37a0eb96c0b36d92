import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { type Chains } from './chains.js';
import { hasAny, stepBit, timeOf, type Layout } from './layout.sql.js';
import { numeral } from '../../stores/clickhouse/numeral.sql.js';

/**
 * Each step must be converted by the very next event. The array of events is put beside copies of itself that are shifted by one place
 * for each step. The columns are explained in `layout.sql.ts`.
 */
export const strictChains = (layout: Layout, events: Sql): Chains => {
  const { steps, exclusions } = layout.definition;
  const moved = (array: Sql, by: number, filler: Sql): Sql =>
    by === 0 ? array : sql`arrayResize(arraySlice(${array}, ${numeral(by + 1)}), length(events), ${filler})`;
  const inputs = [
    ...steps.map((_, at) => moved(sql`events`, at, sql`arrayElement(events, -1)`)),
    ...exclusions.map(({ from }, at) => moved(sql`x${numeral(at)}`, from, sql`${layout.never}`)),
  ];
  const names = [...steps.map((_, at) => sql`e${numeral(at)}`), ...exclusions.map((_, at) => sql`y${numeral(at)}`)];
  // Without one step the later steps are not converted either.
  const converts = (step: number) =>
    join(
      steps.slice(0, step + 1).map((_, at) => hasAny(sql`e${numeral(at)}`, stepBit(layout, at))),
      sql` AND `,
    );
  const chain = [
    ...steps.map((_, at) => sql`if(${converts(at)}, ${timeOf(layout, sql`e${numeral(at)}`)}, ${layout.never})`),
    ...exclusions.map((_, at) => sql`y${numeral(at)}`),
  ];
  return {
    rows: sql`SELECT *, arrayMap((${join(names)}) -> tuple(${join(chain)}), ${join(inputs)}) AS chains FROM (${events})`,
    exclusionAt: exclusions.map((_, at) => steps.length + 1 + at),
  };
};
