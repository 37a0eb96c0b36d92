import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { isEverything } from '../../filters/filter.js';
import { type Entity } from '../asking/entity.js';
import { type Chains } from './chains.js';
import { hasAny, mayShareEvents, stepBit, timeOf, type Layout } from './layout.sql.js';
import { numeral } from './numeral.sql.js';

/**
 * From each moment on, every step takes its earliest event. Steps that could take the same one take different moments: those that ask for
 * more choose first.
 */
export const unorderedChains = (layout: Layout, events: Sql): Chains => {
  const { steps, exclusions } = layout.definition;
  const order = choosingOrder(steps);
  let rows = events;
  order.forEach((step, turn) => {
    const rivals = order.slice(0, turn).filter((other) => areRivals(steps, step, other));
    rows = withNextMoments(layout, step, rivals.length + 1, rows);
    rows = sql`SELECT *, ${chosen(step, rivals)} AS ${pick(step)} FROM (${rows})`;
  });
  const times = join(steps.map((_, at) => sql`sorted[${numeral(at + 1)}]`));
  const picks = join(steps.map((_, at) => pick(at)));
  const names = join(steps.map((_, at) => sql`q${numeral(at)}`));
  rows = sql`SELECT *, arrayMap((${names}) -> arraySort([${names}]), ${picks}) AS in_time FROM (${rows})`;
  const inputs = join([sql`in_time`, ...exclusions.map((_, at) => sql`x${numeral(at)}`)]);
  const inputNames = join([sql`sorted`, ...exclusions.map((_, at) => sql`y${numeral(at)}`)]);
  const chain = join([times, ...exclusions.map((_, at) => sql`y${numeral(at)}`)]);
  return {
    rows: sql`SELECT *, arrayMap((${inputNames}) -> tuple(${chain}), ${inputs}) AS chains FROM (${rows})`,
    exclusionAt: exclusions.map((_, at) => steps.length + 1 + at),
  };
};

const pick = (step: number): Sql => sql`p${numeral(step)}`;

const areRivals = (steps: readonly Entity[], step: number, other: number): boolean => {
  const [one, two] = [steps[step], steps[other]];
  return one !== undefined && two !== undefined && mayShareEvents(one, two);
};

/** Named events before any event, filtered ones before all of a name. */
export const choosingOrder = (steps: readonly Entity[]): readonly number[] => {
  const openness = ({ parts }: Entity): number =>
    (parts.some(({ event }) => event === null) ? 2 : 0) + (parts.some(({ filter }) => isEverything(filter)) ? 1 : 0);
  return steps
    .map((step, at) => ({ at, openness: openness(step) }))
    .sort((a, b) => a.openness - b.openness || a.at - b.at)
    .map(({ at }) => at);
};

/** `m…`: from each place on, so many next moments at which the step could be taken. */
const withNextMoments = (layout: Layout, step: number, count: number, rows: Sql): Sql => {
  const column = sql`m${numeral(step)}`;
  const isOne = hasAny(sql`event`, stepBit(layout, step));
  const time = timeOf(layout, sql`event`);
  let found = sql`SELECT *, arrayReverseFill((m, event) -> ${isOne}, arrayMap(event -> tuple(${time}), events), events) AS ${column} FROM (${rows})`;
  for (let known = 1; known < count; known += 1) {
    const rest = join(Array.from({ length: known }, (_, at) => sql`b.${numeral(at + 1)}`));
    const behind = sql`arrayPushBack(arrayPopFront(${column}), arrayElement(${column}, -1))`;
    const longer = sql`arrayMap((event, b) -> tuple(${time}, ${rest}), events, ${behind})`;
    found = sql`SELECT * EXCEPT (longer), arrayReverseFill((m, event) -> ${isOne}, longer, events) AS ${column}
      FROM (SELECT * EXCEPT (${column}), ${longer} AS longer FROM (${found}))`;
  }
  return found;
};

/** The first of the next moments that no rival has taken. */
const chosen = (step: number, rivals: readonly number[]): Sql => {
  const column = sql`m${numeral(step)}`;
  if (rivals.length === 0) return sql`arrayMap(m -> m.1, ${column})`;
  const names = rivals.map((rival) => sql`r${numeral(rival)}`);
  const isFree = (place: number) =>
    join(
      names.map((name) => sql`m.${numeral(place)} != ${name}`),
      sql` AND `,
    );
  const ways = rivals.flatMap((_, at) => [isFree(at + 1), sql`m.${numeral(at + 1)}`]);
  return sql`arrayMap((${join([sql`m`, ...names])}) -> multiIf(${join([...ways, sql`m.${numeral(rivals.length + 1)}`])}),
    ${join([column, ...rivals.map(pick)])})`;
};
