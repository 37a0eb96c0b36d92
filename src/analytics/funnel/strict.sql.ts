import { type Sql, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { column, carriedIndexes, stepsBetween, tupleOf, type Chains } from './chains.sql.js';
import { timeOf, type Layout } from './layout.sql.js';
import { runFrom } from './moments.sql.js';

/**
 * Each step must be converted by the very next event, where the events of one moment may come in any order: an attempt begins
 * with some events of a moment, continues with all events of the moments that follow, and ends with some. `d…` is the chain
 * from a step on if a position continues an attempt, `f…` the same of the next position. The columns are explained in
 * `layout.sql.ts`.
 */
export const strictChains = (layout: Layout, events: Sql): Chains => {
  const { steps } = layout.definition;
  let rows = events;
  for (let step = steps.length - 1; step > 0; step -= 1) {
    const [here, next] = [column(sql`d`, step), column(sql`f`, step)];
    rows = sql`SELECT *, ${mapped(layout, step, continued(layout, step))} AS ${here} FROM (${rows})`;
    rows = sql`SELECT * EXCEPT (${here}), arrayPushBack(arrayPopFront(${here}), arrayElement(${here}, -1)) AS ${next} FROM (${rows})`;
  }
  rows = sql`SELECT *, ${mapped(layout, 0, takenFirst(layout))} AS taken FROM (${rows})`;
  return {
    rows: sql`SELECT *, ${mapped(layout, 0, attemptsStarted(layout), sql`taken`)} AS chains FROM (${rows})`,
    carriedAt: carriedIndexes(layout),
  };
};

const mapped = (layout: Layout, step: number, of: Sql, more?: Sql): Sql => {
  const { steps, exclusions } = layout.definition;
  const next = stepsBetween(step + 1, steps.length - 1).map((at) => column(sql`f`, at));
  const [exclusionNames, exclusionArrays] = [sql`y`, sql`x`].map((name) => exclusions.map((_, at) => column(name, at)));
  const names = [sql`event`, sql`n`, sql`run`, ...(more ? [sql`take`] : []), ...next, ...(exclusionNames ?? [])];
  const arrays = [sql`events`, sql`many`, sql`runs`, ...(more ? [more] : []), ...next, ...(exclusionArrays ?? [])];
  return sql`arrayMap((${join(names)}) -> ${of}, ${join(arrays)})`;
};

/**
 * The chain from a position at which the attempt continues: if every event of the moment converts a step, the attempt goes on,
 * otherwise it ends there.
 */
const continued = (layout: Layout, step: number): Sql => {
  const last = layout.definition.steps.length - 1;
  const run = runFrom(layout, step);
  const time = (at: number) => sql`if(${run} > ${numeral(at - step)}, ${timeOf(layout, sql`event`)}, ${layout.never})`;
  const ends = tupleOf(layout, [step, last], null, time);
  const ways = stepsBetween(step, last - 1).flatMap((at) => {
    const count = numeral(at - step + 1);
    return [sql`${run} = ${count} AND n = ${count}`, tupleOf(layout, [step, at], column(sql`f`, at + 1))];
  });
  return ways.length === 0 ? ends : sql`multiIf(${join([...ways, ends])})`;
};

/**
 * The number of steps that an attempt takes at the position where it begins: the number that leads farthest, and the greatest
 * of several such numbers.
 */
const takenFirst = (layout: Layout): Sql => {
  const { length } = layout.definition.steps;
  const closes = sql`${timeOf(layout, sql`event`)} + ${layout.window}`;
  const rated = stepsBetween(1, length).map((count) => {
    const later = stepsBetween(1, length - count).map(
      (at) => sql` + (${column(sql`f`, count)}.${numeral(at)} <= ${closes})`,
    );
    const reach = sql`${numeral(count)}${join(later, sql``)}`;
    return sql`if(${runFrom(layout, 0)} >= ${numeral(count)}, toUInt16((${reach}) * 32 + ${numeral(count)}), toUInt16(0))`;
  });
  return rated.length === 1 ? sql`toUInt16(1)` : sql`bitAnd(greatest(${join(rated)}), 31)`;
};

const attemptsStarted = (layout: Layout): Sql => {
  const last = layout.definition.steps.length - 1;
  const wayOf = (at: number) => tupleOf(layout, [0, at], at === last ? null : column(sql`f`, at + 1));
  const ways = stepsBetween(1, last).flatMap((at) => [sql`take = ${numeral(at + 1)}`, wayOf(at)]);
  return ways.length === 0 ? wayOf(0) : sql`multiIf(${join([...ways, wayOf(0)])})`;
};
