import fc from 'fast-check';
import { bucketsOf, type Clock, type Interval } from './buckets.js';
import { counted, counts, entityOf, filterGroup, passes, seldom, type Counted, type FilterGroup } from './filters.js';
import { type Model } from './model.js';
import { rangeParameters, writtenRange, type Range, type WrittenRange } from './ranges.js';

export interface StickinessQuestion {
  readonly series: readonly Counted[];
  readonly interval: Interval;
  readonly range: WrittenRange;
  readonly filter: FilterGroup | null;
  readonly filterTestAccounts: boolean;
  /** How many events make a person active in an interval: one by default. */
  readonly criteria: { readonly operator: 'exact' | 'gte' | 'lte'; readonly value: number } | null;
  readonly compare: boolean;
  /** So far back is the other range; null: directly before. */
  readonly compareTo: string | null;
  /** So many intervals count as one. */
  readonly intervalCount: number;
}

export const stickinessQuestion = (clock: Clock, around: number, now: number): fc.Arbitrary<StickinessQuestion> =>
  fc.constantFrom<Interval>('minute', 'hour', 'day', 'day', 'week', 'month').chain((interval) =>
    fc.record({
      series: fc.array(counted, { minLength: 1, maxLength: 2 }),
      interval: fc.constant(interval),
      range: writtenRange(interval, clock, around, now),
      filter: seldom(filterGroup),
      filterTestAccounts: seldom(fc.constant(true)).map((value) => value ?? false),
      criteria: seldom(
        fc.record({
          operator: fc.constantFrom('exact' as const, 'gte' as const, 'lte' as const),
          value: fc.constantFrom(1, 2, 3),
        }),
      ),
      compare: fc.boolean(),
      compareTo: fc.constantFrom(null, null, '-1d', '-1w', '-1m', '-1q', '-2y'),
      intervalCount: fc.constantFrom(1, 1, 2, 3, 7),
    }),
  );

export const stickinessParameters = (q: StickinessQuestion): Record<string, string> => ({
  events: JSON.stringify(q.series.map(entityOf)),
  interval: q.interval,
  ...rangeParameters(q.range),
  ...(q.filter ? { properties: JSON.stringify(q.filter) } : {}),
  ...(q.filterTestAccounts ? { filter_test_accounts: 'true' } : {}),
  ...(q.intervalCount === 1 ? {} : { interval_count: String(q.intervalCount) }),
  ...(q.criteria ? { stickiness_criteria: JSON.stringify(q.criteria) } : {}),
});

/** The names of those who were active on exactly n intervals, at place n - 1. */
export type NaiveStickiness = readonly (readonly string[])[];

/** The active persons, interval by interval. The first interval counts as a whole. */
export const naiveStickiness = (
  { events }: Model,
  clock: Clock,
  { from, to }: Range,
  q: Pick<StickinessQuestion, 'interval' | 'intervalCount' | 'criteria' | 'filter'>,
  series: Counted,
  testAccounts: FilterGroup | null,
): NaiveStickiness => {
  if (from > to) return [];
  const intervals = bucketsOf(q.interval, new Date(from), new Date(to), clock);
  const groups = intervals.filter((_, at) => at % q.intervalCount === 0);
  const begin = intervals[0]?.getTime() ?? from;
  const own = events.filter(
    (event) =>
      event.timestamp.getTime() >= begin &&
      event.timestamp.getTime() <= to &&
      counts(series, event) &&
      passes(q.filter, event) &&
      passes(testAccounts, event),
  );
  const names = [...new Set(own.map(({ person, distinctId }) => person?.name ?? distinctId))];
  const activeIn = (name: string): number => {
    const mine = own.filter(({ person, distinctId }) => (person?.name ?? distinctId) === name);
    return groups.filter((start, at) => {
      const end = groups[at + 1] ?? new Date(Infinity);
      const times = mine.filter(({ timestamp }) => timestamp >= start && !(timestamp >= end)).length;
      return times > 0 && isEnough(q.criteria, times);
    }).length;
  };
  const active = names.map((name) => [name, activeIn(name)] as const);
  return groups.map((_, at) =>
    active
      .filter(([, count]) => count === at + 1)
      .map(([name]) => name)
      .sort(),
  );
};

const isEnough = (criteria: StickinessQuestion['criteria'], times: number): boolean => {
  if (criteria === null) return true;
  if (criteria.operator === 'exact') return times === criteria.value;
  return criteria.operator === 'gte' ? times >= criteria.value : times <= criteria.value;
};
