import { type Sql, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { isEverything, meaningOf } from '../../filters/reading/filter.js';
import { type Entity } from '../shared/entity.js';
import { type Chains } from './chains.sql.js';
import { hasAny, mayShareEvents, stepBit, timeOf, type Layout } from './layout.sql.js';
import { needsTicks, never, timeOfTick } from './moments.sql.js';

/** The choice of an event by a step. `rivals` are steps that choose earlier and may take the same event. */
interface Choice {
  readonly step: number;
  readonly rivals: readonly number[];
  /** The first step with the same condition; both steps share its columns of next moments. */
  readonly like: number;
}

/**
 * From each moment on, every step takes its earliest event. Steps that could take the same event take different ones: the step with
 * the narrower condition chooses first. The columns are explained in `layout.sql.ts`.
 */
export const unorderedChains = (layout: Layout, events: Sql): Chains => {
  const { steps, exclusions } = layout.definition;
  const choices = choicesOf(steps);
  let rows = withNextMoments(layout, choices, events);
  const pickOf = (choice: Choice) => sql`${chosen(layout, choice, choices)} AS ${pick(choice.step)}`;
  const [free, bound] = [
    choices.filter((choice) => !dependsOnRivals(choice, choices)),
    choices.filter((choice) => dependsOnRivals(choice, choices)),
  ];
  if (free.length > 0) rows = sql`SELECT *, ${join(free.map(pickOf))} FROM (${rows})`;
  for (const choice of bound) rows = sql`SELECT *, ${pickOf(choice)} FROM (${rows})`;
  const times = join(steps.map((_, at) => timeOfTick(layout, sql`sorted[${numeral(at + 1)}]`)));
  const picks = join(steps.map((_, at) => pick(at)));
  const names = join(steps.map((_, at) => sql`q${numeral(at)}`));
  rows = sql`SELECT *, arrayMap((${names}) -> arraySort([${names}]), ${picks}) AS in_time FROM (${rows})`;
  const inputs = join([sql`in_time`, ...exclusions.map((_, at) => sql`x${numeral(at)}`)]);
  const inputNames = join([sql`sorted`, ...exclusions.map((_, at) => sql`y${numeral(at)}`)]);
  const chain = join([times, ...exclusions.map((_, at) => sql`y${numeral(at)}`)]);
  return {
    rows: sql`SELECT *, arrayMap((${inputNames}) -> tuple(${chain}), ${inputs}) AS chains FROM (${rows})`,
    carriedAt: exclusions.map((_, at) => steps.length + 1 + at),
  };
};

const choicesOf = (steps: readonly Entity[]): readonly Choice[] => {
  const order = choosingOrder(steps);
  const meanings = steps.map(({ parts }) => meaningOf(parts));
  return order.map((step, at) => ({
    step,
    rivals: order.slice(0, at).filter((other) => areRivals(steps, step, other)),
    like: meanings.indexOf(meanings[step] ?? ''),
  }));
};

const pick = (step: number): Sql => sql`p${numeral(step)}`;

const areRivals = (steps: readonly Entity[], step: number, other: number): boolean => {
  const [one, two] = [steps[step], steps[other]];
  return one !== undefined && two !== undefined && mayShareEvents(one, two);
};

/** Steps with a named event choose before steps with any event, and filtered steps before unfiltered ones. */
export const choosingOrder = (steps: readonly Entity[]): readonly number[] => {
  const openness = ({ parts }: Entity): number =>
    (parts.some(({ event }) => event === null) ? 2 : 0) + (parts.some(({ filter }) => isEverything(filter)) ? 1 : 0);
  return steps
    .map((step, at) => ({ at, openness: openness(step) }))
    .sort((a, b) => a.openness - b.openness || a.at - b.at)
    .map(({ at }) => at);
};

const moments = (step: number, count: number): Sql => sql`m${numeral(step)}_${numeral(count)}`;

const countFor = (choices: readonly Choice[], step: number): number =>
  Math.max(...choices.filter(({ like }) => like === step).map(({ rivals }) => rivals.length + 1));

/** Adds for each step the next moments from each position on: as many as the step may have to choose from. */
const withNextMoments = (layout: Layout, choices: readonly Choice[], events: Sql): Sql => {
  const counts = [...new Set(choices.map(({ like }) => like))].map((step) => ({
    step,
    count: countFor(choices, step),
  }));
  let rows = events;
  for (let known = 0; counts.some(({ count }) => count > known); known += 1) {
    const columns = counts
      .filter(({ count }) => count > known)
      .map(({ step }) => sql`${nextMoments(layout, step, known)} AS ${moments(step, known + 1)}`);
    const replaced = counts.filter(({ count }) => known > 0 && count > known).map(({ step }) => moments(step, known));
    const remaining = replaced.length === 0 ? sql`*` : sql`* EXCEPT (${join(replaced)})`;
    rows = sql`SELECT ${remaining}, ${join(columns)} FROM (${rows})`;
  }
  if (!needsTicks(layout)) return rows;
  const leading = counts.map(({ step, count }) => moments(step, count));
  const filtered = leading.map((column) => sql`arrayFilter((m, lead) -> lead, ${column}, leads) AS ${column}`);
  return sql`SELECT * EXCEPT (each, ticks, leads) REPLACE (${join(filtered)}) FROM (${rows})`;
};

const nextMoments = (layout: Layout, step: number, known: number): Sql => {
  const [events, times, time] = needsTicks(layout)
    ? [sql`each`, sql`ticks`, sql`at`]
    : [sql`events`, sql`events`, timeOf(layout, sql`at`)];
  const isOne = hasAny(sql`event`, stepBit(layout, step));
  const filled = (candidates: Sql) => sql`arrayReverseFill((m, event) -> ${isOne}, ${candidates}, ${events})`;
  if (known === 0) return filled(sql`arrayMap(at -> tuple(${time}), ${times})`);
  const rest = Array.from({ length: known }, (_, at) => sql`b.${numeral(at + 1)}`);
  const nothing = sql`tuple(${join(rest.map(() => never(layout)))})`;
  const later = sql`arrayPushBack(arrayPopFront(${moments(step, known)}), ${nothing})`;
  return filled(sql`arrayMap((at, b) -> tuple(${join([time, ...rest])}), ${times}, ${later})`);
};

/**
 * True if a rival of the step has another condition. Rivals with the same condition do not depend on each other: each takes
 * the moment after the one that the rival before it takes.
 */
const dependsOnRivals = ({ rivals, like }: Pick<Choice, 'rivals' | 'like'>, choices: readonly Choice[]): boolean =>
  choices.some((choice) => choice.like !== like && rivals.includes(choice.step));

/** The first of the next moments that no rival takes. */
const chosen = (layout: Layout, { rivals, like }: Choice, choices: readonly Choice[]): Sql => {
  const column = moments(like, countFor(choices, like));
  if (!dependsOnRivals({ rivals, like }, choices))
    return sql`arrayMap(m -> m.${numeral(rivals.length + 1)}, ${column})`;
  const names = rivals.map((rival) => sql`r${numeral(rival)}`);
  const candidates = Array.from({ length: rivals.length + 1 }, (_, at) => sql`m.${numeral(at + 1)}`);
  const first = sql`arrayFirst(time -> time = ${never(layout)} OR NOT has([${join(names)}], time), [${join(candidates)}])`;
  return sql`arrayMap((${join([sql`m`, ...names])}) -> ${first}, ${join([column, ...rivals.map(pick)])})`;
};
