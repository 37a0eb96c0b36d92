import { type Sql, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { timeOf, type Layout } from './layout.sql.js';

/**
 * Rows with a column `chains`: for each of the `events`, the times of the steps from there on, then the times of the next
 * exclusions.
 */
export interface Chains {
  readonly rows: Sql;
  /** The position of each exclusion in the tuple of a chain; the steps have the first positions, from 1. */
  readonly exclusionAt: readonly number[];
}

export const column = (name: Sql, step: number): Sql => sql`${name}${numeral(step)}`;

export const stepsBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The exclusions that begin at a step. Exclusions of earlier steps come later in the tuple of a chain. */
export const carriedFrom = ({ definition: { exclusions } }: Layout, step: number): readonly number[] =>
  exclusions.flatMap(({ from }, at) => (from === step ? [at] : []));

export const exclusionIndexes = (layout: Layout): readonly number[] => {
  const { steps, exclusions } = layout.definition;
  const order = steps.flatMap((_, at) => carriedFrom(layout, steps.length - 1 - at));
  return exclusions.map((_, at) => steps.length + 1 + order.indexOf(at));
};

/**
 * Writes the tuple of a chain: the times of the steps from `step` to `run`, which the event at the position converts, then the
 * times of the later steps, then the times of the next exclusions. `next` is the chain of the step after `run`; null if there
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
    ...[...own].reverse().flatMap((at) => carriedFrom(layout, at).map((exclusion) => column(sql`y`, exclusion))),
  ])})`;
};
