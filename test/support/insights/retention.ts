import fc from 'fast-check';
import { DateTime } from 'luxon';
import { breakdownQuery, compareLists, naiveBreakdown, textsOf, type NaiveBreakdown } from './breakdown.js';
import {
  counted,
  counts,
  entityOf,
  fewFilters,
  passesAll,
  testAccountFilters,
  type Counted,
  type Leaf,
} from './filters.js';
import { following, labelOf, startOf, type Clock, type Interval } from './buckets.js';
import { actorOf, type Model, type ModelEvent } from './model.js';

/** A question about a stream, with random values. */
export interface RetentionQuestion {
  readonly target: Counted;
  /** Null: `$pageview`. */
  readonly returning: Counted | null;
  readonly interval: Extract<Interval, 'hour' | 'day' | 'week' | 'month'>;
  readonly intervals: number;
  readonly to: { readonly text: string; readonly at: number };
  readonly beginning: 'recurring' | 'first_time' | 'first_ever_occurrence';
  readonly mean: 'simple' | 'weighted' | 'none';
  readonly least: number;
  readonly cumulative: boolean;
  /** True if cells count from the moment in which a person began. */
  readonly rolling: boolean;
  /** Null: every interval is a cell. */
  readonly brackets: readonly number[] | null;
  readonly filters: readonly Leaf[];
  readonly withoutTestAccounts: boolean;
  readonly breakdown: NaiveBreakdown | null;
}

const pageview: Counted = { names: ['$pageview'], filters: [] };
const hourMs = 3_600_000;

/** Half of the questions end near the moment, so that it lies on the axis. */
const reachHours = { hour: 6, day: 5 * 24, week: 20 * 24, month: 40 * 24 } as const;

const someBrackets = [null, [2], [1, 3, 1], null, [2, 2]] as const;

export const retentionQuestion = ({ zone }: Clock, around: number): fc.Arbitrary<RetentionQuestion> =>
  fc
    .constantFrom('hour' as const, 'day' as const, 'day' as const, 'week' as const, 'month' as const)
    .chain((interval) =>
      fc.record({
        target: counted,
        returning: fc.option(counted),
        interval: fc.constant(interval),
        // More than 64 are remembered in another way than as bits.
        intervals: fc.oneof(
          { weight: 30, arbitrary: fc.integer({ min: 1, max: 6 }) },
          { weight: 1, arbitrary: fc.constantFrom(64, 65, 100) },
        ),
        to: fc.tuple(fc.integer({ min: -1, max: reachHours[interval] }), fc.boolean()).map(([hours, asDay]) => {
          const at = around + hours * hourMs;
          if (!asDay) return { text: new Date(at).toISOString(), at };
          const local = DateTime.fromMillis(at, { zone });
          return { text: local.toFormat('yyyy-MM-dd'), at: local.endOf('day').toMillis() };
        }),
        beginning: fc.constantFrom('recurring', 'recurring', 'first_time', 'first_ever_occurrence'),
        mean: fc.constantFrom('simple', 'weighted', 'none'),
        least: fc.constantFrom(1, 1, 1, 2),
        cumulative: fc.constantFrom(false, false, true),
        rolling: fc.constantFrom(false, false, true),
        filters: fewFilters,
        withoutTestAccounts: fc.constantFrom(false, false, false, true),
        breakdown: fc.option(naiveBreakdown),
      }),
    )
    .map((question) => ({
      ...question,
      brackets: someBrackets[question.intervals % someBrackets.length] ?? null,
      ...(question.rolling && { least: 1, cumulative: false, breakdown: null }),
    }));

const periodOf = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;

export const retentionParameters = (q: RetentionQuestion): Record<string, string> => ({
  target_entity: JSON.stringify(entityOf(q.target)),
  ...(q.returning && { returning_entity: JSON.stringify(entityOf(q.returning)) }),
  period: periodOf[q.interval],
  total_intervals: String(q.intervals),
  date_to: q.to.text,
  retention_type: `retention_${q.beginning}`,
  mean_retention_calculation: q.mean,
  minimum_occurrences: String(q.least),
  cumulative: String(q.cumulative),
  ...(q.rolling && { time_window_mode: '24_hour_windows' }),
  ...(q.brackets && { retention_custom_brackets: JSON.stringify(q.brackets) }),
  ...(q.filters.length > 0 && { properties: JSON.stringify(q.filters) }),
  filter_test_accounts: String(q.withoutTestAccounts),
  ...(q.breakdown && queryOf(breakdownQuery(q.breakdown))),
});

const queryOf = (params: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

export interface NaiveRetention {
  readonly labels: readonly string[];
  readonly dates: readonly string[];
  /** For each interval who began in it, with a 1 or 0 for that one and each interval or bracket after it. */
  readonly rows: readonly ReadonlyMap<string, readonly number[]>[];
  /** The number of cells of each row. */
  readonly lengths: readonly number[];
}

/** One interval before the other, back from the one that `to` lies in. */
const startsOf = ({ interval, intervals, to }: RetentionQuestion, clock: Clock): readonly Date[] => {
  const starts = [startOf(interval, new Date(to.at), clock)];
  while (starts.length < intervals) {
    const next = starts[0]?.getTime() ?? 0;
    starts.unshift(startOf(interval, new Date(next - 1), clock));
  }
  return starts;
};

/** All target events, or the first; the first of its name only if it is one, or another one of the same moment is. */
const beginningsOf = (
  { beginning, target: { names } }: RetentionQuestion,
  targets: readonly ModelEvent[],
  all: readonly ModelEvent[],
): readonly ModelEvent[] => {
  if (beginning === 'recurring') return targets;
  const first = all.find(({ event }) => names.length === 0 || names.includes(event));
  const isFirst = ({ timestamp }: ModelEvent) => timestamp.getTime() === first?.timestamp.getTime();
  return targets.slice(0, 1).filter((event) => beginning === 'first_time' || isFirst(event));
};

/** The intervals of each cell of the row at `place`, as far as there are any. */
const cellsFrom = (place: number, count: number, brackets: RetentionQuestion['brackets']): number[][] => {
  const cells = [[place]];
  let next = place + 1;
  for (let at = 0; next < count && (brackets === null || at < brackets.length); at += 1) {
    const size = brackets?.[at] ?? 1;
    cells.push(Array.from({ length: Math.min(size, count - next) }, (_, more) => next + more));
    next += size;
  }
  return cells;
};

const labelsOf = ({ interval, intervals, brackets }: RetentionQuestion): string[] => {
  let next = 1;
  const wholes = (brackets ?? Array.from({ length: intervals - 1 }, () => 1)).map((size) => {
    const [first, last] = [next, next + size - 1];
    next += size;
    return { first, last };
  });
  return [{ first: 0, last: 0 }, ...wholes]
    .filter(({ first }) => first < intervals)
    .map(({ first, last }) => `${periodOf[interval]} ${first === last ? first : `${first}-${last}`}`);
};

const windowHours = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;

const windowsBetween = ({ interval }: RetentionQuestion, since: ModelEvent, later: ModelEvent): number =>
  Math.floor((later.timestamp.getTime() - since.timestamp.getTime()) / (windowHours[interval] * hourMs));

/** Each person for itself: when it began, when it was there, and what that makes of every later interval. */
export const naiveRetention = (model: Model, clock: Clock, q: RetentionQuestion): NaiveRetention => {
  const starts = startsOf(q, clock);
  const isIn = (event: ModelEvent, place: number): boolean => {
    const start = starts[place];
    return start !== undefined && event.timestamp >= start && event.timestamp < following(q.interval, start, clock);
  };
  const filters = [...q.filters, ...(q.withoutTestAccounts ? testAccountFilters : [])];
  const events = model.events.filter((event) => passesAll(filters, event));
  const rows = starts.map(() => new Map<string, number[]>());
  for (const actor of new Set(events.map(actorOf))) {
    const own = events.filter((event) => actorOf(event) === actor);
    const targets = own.filter((event) => counts(q.target, event));
    const beginnings = beginningsOf(
      q,
      targets,
      model.events.filter((event) => actorOf(event) === actor),
    );
    const returns = own.filter((event) => counts(q.returning ?? pageview, event));
    const inRange = (event: ModelEvent) => starts.some((_, place) => isIn(event, place));
    const begun = q.rolling ? beginnings.filter(inRange).slice(0, 1) : beginnings;
    for (const [place, row] of rows.entries()) {
      if (!begun.some((event) => isIn(event, place))) continue;
      const since = q.rolling ? begun[0] : undefined;
      const isThere = (at: number) =>
        returns.filter((event) =>
          since === undefined ? isIn(event, at) : inRange(event) && place + windowsBetween(q, since, event) === at,
        ).length >= q.least;
      const cells = cellsFrom(place, starts.length, q.brackets);
      const counts = (at: number) =>
        at === 0 || (q.cumulative ? cells.slice(at).flat().some(isThere) : cells[at]?.some(isThere) === true);
      row.set(
        actor,
        cells.map((_, at) => (counts(at) ? 1 : 0)),
      );
    }
  }
  return {
    labels: labelsOf(q),
    dates: starts.map((start) => labelOf(q.interval, start, clock)),
    rows,
    lengths: starts.map((_, place) => cellsFrom(place, starts.length, q.brackets).length),
  };
};

export interface NaiveOfValue {
  readonly value: readonly string[];
  readonly naive: NaiveRetention;
}

/** The value of an event; null if it has none. */
type ValueOf = (event: ModelEvent) => readonly string[] | null;

/** That of the first target event of the actor, the smallest of several of one moment. */
const valueOfFirst = (targets: readonly ModelEvent[], texts: (event: ModelEvent) => string[]): ValueOf => {
  const values = new Map<string, readonly string[]>();
  for (const actor of new Set(targets.map(actorOf))) {
    const own = targets.filter((event) => actorOf(event) === actor);
    const firsts = own.filter(({ timestamp }) => timestamp.getTime() === own[0]?.timestamp.getTime());
    values.set(actor, firsts.map(texts).sort(compareLists)[0] ?? []);
  }
  return (event) => values.get(actorOf(event)) ?? null;
};

/** For each value the retention of the events that have it; the values with which fewer began are one value, "Other". */
export const naiveByValue = (
  model: Model,
  clock: Clock,
  q: RetentionQuestion,
  breakdown: NaiveBreakdown,
): NaiveOfValue[] => {
  const starts = startsOf(q, clock);
  const [from, last] = [starts[0], starts.at(-1)];
  if (!from || !last) return [];
  const end = following(q.interval, last, clock);
  const filters = [...q.filters, ...(q.withoutTestAccounts ? testAccountFilters : [])];
  const isRead = ({ timestamp }: ModelEvent) => timestamp < end && (q.beginning !== 'recurring' || timestamp >= from);
  const passing = model.events.filter((event) => isRead(event) && passesAll(filters, event));
  const targets = passing.filter((event) => counts(q.target, event));
  const read = passing.filter((event) => counts(q.target, event) || counts(q.returning ?? pageview, event));
  const texts = textsOf(breakdown, q.beginning === 'first_ever_occurrence' ? everyRead(model, q, isRead) : read);
  const valueOf = q.beginning === 'first_ever_occurrence' ? valueOfFirst(targets, texts) : texts;
  const naiveOf = (has: (value: readonly string[]) => boolean): NaiveRetention => {
    const events = model.events.filter((event) => {
      const value = isRead(event) ? valueOf(event) : null;
      return value !== null && has(value);
    });
    return naiveRetention({ ...model, events }, clock, q);
  };
  const same = (a: readonly string[], b: readonly string[]) => compareLists(a, b) === 0;
  const distinct = [...new Set(read.flatMap((event) => JSON.stringify(valueOf(event) ?? [])))].map(
    (value) => JSON.parse(value) as string[],
  );
  const ranked = distinct
    .map((value) => ({ value, naive: naiveOf((one) => same(one, value)) }))
    .map((one) => ({ ...one, persons: one.naive.rows.reduce((sum, { size }) => sum + size, 0) }))
    .filter(({ persons }) => persons > 0)
    .sort((a, b) => b.persons - a.persons || compareLists(a.value, b.value));
  if (ranked.length <= breakdown.limit) return ranked.map(({ value, naive }) => ({ value, naive }));
  const known = ranked.slice(0, breakdown.limit).filter(({ value }) => !same(value, ['Other']));
  const rest = naiveOf((value) => known.every((one) => !same(one.value, value)));
  return [...known.map(({ value, naive }) => ({ value, naive })), { value: ['Other'], naive: rest }];
};

/** The filters of the question do not keep events from being the first ever. */
const everyRead = (
  { events }: Model,
  q: RetentionQuestion,
  isRead: (event: ModelEvent) => boolean,
): readonly ModelEvent[] =>
  events.filter((event) => isRead(event) && (counts(q.target, event) || counts(q.returning ?? pageview, event)));
