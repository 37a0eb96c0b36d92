import { type Sql, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { carriedFrom, column, carriedIndexes, stepsBetween, tupleOf, type Chains } from './chains.sql.js';
import { hasAny, isDisjoint, mayShareEvents, stepBit, type Layout } from './layout.sql.js';
import { runFrom } from './moments.sql.js';

/**
 * Builds the chains from the last step to the first. For each step, `c…` is the chain if the event at a position converts the
 * step, and `g…` and `l…` are the chain of the next event that does. The columns are filled along the sorted events, so the
 * time is linear in their number. `layout.sql.ts` explains the columns.
 */
export const orderedChains = (layout: Layout, events: Sql): Chains => {
  const { steps } = layout.definition;
  let rows = events;
  let known: readonly Sql[] = [];
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    rows = sql`SELECT *${without(known)}, ${chainFrom(layout, step)} AS ${column(sql`c`, step)} FROM (${rows})`;
    if (step === 0) break;
    const next = sql`arrayReverseFill((c, event) -> ${hasAny(sql`event`, stepBit(layout, step))}, ${column(sql`c`, step)}, events)`;
    rows = sql`SELECT *${without([column(sql`c`, step)])}, ${next} AS ${column(sql`g`, step)} FROM (${rows})`;
    const later = sql`arrayPushBack(arrayPopFront(${column(sql`g`, step)}), arrayElement(${column(sql`g`, step)}, -1))`;
    const isLater = isNeededLater(layout, step);
    if (isLater) rows = sql`SELECT *, ${later} AS ${column(sql`l`, step)} FROM (${rows})`;
    known = isDisjoint(layout.definition) ? [column(sql`g`, step)] : [];
  }
  return { rows: sql`SELECT *, c0 AS chains FROM (${rows})`, carriedAt: carriedIndexes(layout) };
};

/** Drops columns that no outer level reads, because each column costs time at every level. */
const without = (columns: readonly Sql[]): Sql => (columns.length === 0 ? sql`` : sql` EXCEPT (${join(columns)})`);

/** The first later step that may share an event with a step from this one on, and so needs another event. */
const firstConflictAfter = ({ definition: { steps } }: Layout, step: number): number => {
  for (let later = step + 1; later < steps.length; later += 1) {
    const one = steps[later];
    if (one && steps.slice(step, later).some((earlier) => mayShareEvents(earlier, one))) return later;
  }
  return steps.length;
};

/** True if an earlier step needs this step at a strictly later moment. */
const isNeededLater = (layout: Layout, step: number): boolean =>
  layout.definition.steps.some(
    (_, earlier) => earlier < step && firstConflictAfter(layout, earlier) < layout.definition.steps.length,
  );

/** The chain from a position whose event converts this step and no earlier step. */
const chainFrom = (layout: Layout, step: number): Sql => {
  const last = layout.definition.steps.length;
  const conflict = firstConflictAfter(layout, step);
  if (conflict === last) return mapped(layout, step, [{ run: step, next: step + 1 < last ? 'g' : null }]);
  // The events of one moment may convert several steps in a row: the more steps, the better.
  const runs = Array.from({ length: last - step }, (_, at) => last - 1 - at);
  return mapped(
    layout,
    step,
    runs.map((run) => ({ run, next: run + 1 < last ? ('l' as const) : null })),
  );
};

interface Run {
  /** The last step that the event at the position converts. */
  readonly run: number;
  /** `g`: the next step may have the same position; `l`: it must have a later position; null: there is no next step. */
  readonly next: 'g' | 'l' | null;
}

const mapped = (layout: Layout, step: number, runs: readonly Run[]): Sql => {
  const nexts = [...new Set(runs.flatMap(({ run, next }) => (next === null ? [] : [{ step: run + 1, next }])))];
  const carried = runs.flatMap(({ run }) => stepsBetween(step, run)).flatMap((at) => carriedFrom(layout, at));
  const watched = [...new Set(carried)];
  const isCounted = runs.length > 1;
  const names = [
    ...(isCounted ? [sql`n`, sql`run`] : []),
    ...nexts.map(({ step: at }) => column(sql`n`, at)),
    ...watched.map((at) => column(sql`y`, at)),
  ];
  const arrays = [
    ...(isCounted ? [sql`many`, sql`runs`] : []),
    ...nexts.map(({ step: at, next }) => column(next === 'g' ? sql`g` : sql`l`, at)),
    ...watched.map((at) => column(sql`x`, at)),
  ];
  const ways = runs.map(({ run, next }) =>
    tupleOf(layout, [step, run], next === null ? null : column(sql`n`, run + 1)),
  );
  const value =
    ways.length === 1
      ? (ways[0] ?? sql``)
      : sql`multiIf(${join(
          runs.flatMap(({ run }, at) => {
            const way = ways[at] ?? sql``;
            return run === step ? [way] : [sql`${runFrom(layout, step)} > ${numeral(run - step)}`, way];
          }),
        )})`;
  return sql`arrayMap((${join([sql`event`, ...names])}) -> ${value}, ${join([sql`events`, ...arrays])})`;
};
