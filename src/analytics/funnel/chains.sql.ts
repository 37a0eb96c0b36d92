import { type Sql, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { exclusionBit, mayShareEvents, optionalBit, timeOf, type Layout } from './layout.sql.js';

/**
 * Rows with a column `chains`: for each of the `events`, the times of the steps from there on, then what is
 * carried.
 */
export interface Chains {
  readonly rows: Sql;
  /** The position in the tuple of a chain of each exclusion and optional step; the steps have the first positions, from 1. */
  readonly carriedAt: readonly number[];
}

export const column = (name: Sql, step: number): Sql => sql`${name}${numeral(step)}`;

export const stepsBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** A time that chains carry beside those of their steps: that of the next event with the bit after the step `from`. */
interface Carried {
  readonly from: number;
  readonly bit: number;
  /** True if an event of the moment of the step counts: it is never the event of the step itself. */
  readonly hasOwnMoment: boolean;
}

/** The exclusions, then the optional steps. */
export const carriedBy = (layout: Layout): readonly Carried[] => {
  const { steps, exclusions, optional } = layout.definition;
  return [
    ...exclusions.map(({ from }, at) => ({ from, bit: exclusionBit(at), hasOwnMoment: false })),
    ...optional.map(({ entity, after }, at) => {
      const step = steps[after];
      const hasOwnMoment = step !== undefined && !mayShareEvents(entity, step);
      return { from: after, bit: optionalBit(layout, at), hasOwnMoment };
    }),
  ];
};

/** The indexes of the times carried from a step. Those of earlier steps come later in the tuple of a chain. */
export const carriedFrom = (layout: Layout, step: number): readonly number[] =>
  carriedBy(layout).flatMap(({ from }, at) => (from === step ? [at] : []));

export const carriedIndexes = (layout: Layout): readonly number[] => {
  const { steps } = layout.definition;
  const order = steps.flatMap((_, at) => carriedFrom(layout, steps.length - 1 - at));
  return carriedBy(layout).map((_, at) => steps.length + 1 + order.indexOf(at));
};

/**
 * Writes the tuple of a chain: the times of the steps from `step` to `run`, which the event at the position converts, then the
 * times of the later steps, then what is carried. `next` is the chain of the step after `run`; null if there
 * is none.
 */
export const tupleOf = (
  layout: Layout,
  [step, run]: readonly [number, number],
  next: Sql | null,
  time: (step: number) => Sql = () => timeOf(layout, sql`event`),
): Sql => {
  const last = layout.definition.steps.length;
  const rest = last - run - 1;
  const carriedAfter = stepsBetween(run + 1, last - 1).flatMap((at) => carriedFrom(layout, at)).length;
  const indexes = (from: number, count: number) =>
    next === null ? [] : Array.from({ length: count }, (_, at) => sql`${next}.${numeral(from + at)}`);
  const own = stepsBetween(step, run);
  return sql`tuple(${join([
    ...own.map(time),
    ...indexes(1, rest),
    ...indexes(rest + 1, carriedAfter),
    ...[...own].reverse().flatMap((at) => carriedFrom(layout, at).map((carried) => column(sql`y`, carried))),
  ])})`;
};
