import fc from 'fast-check';
import { DateTime } from 'luxon';
import { bucketsOf, following, startOf, type Clock, type Interval } from './buckets.js';
import { counted, counts, entityOf, filterGroup, passes, seldom, type Counted, type FilterGroup } from './filters.js';
import { type Model } from './model.js';
import { rangeParameters, saidRange, type Range, type SaidRange } from './ranges.js';

export interface StickinessQuestion {
  readonly series: readonly Counted[];
  readonly interval: Interval;
  readonly range: SaidRange;
  readonly filter: FilterGroup | null;
  readonly filterTestAccounts: boolean;
  /** How many events make a person active in an interval: one unless said. */
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
      range: saidRange(interval, clock, around, now),
      filter: seldom(filterGroup),
      filterTestAccounts: seldom(fc.constant(true)).map((asked) => asked ?? false),
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

/** Whoever did it, interval by interval. */
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
  const own = events.filter(
    (event) =>
      event.timestamp.getTime() >= from &&
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

/** The range to compare with; null without a comparison. */
export const comparedWith = (q: StickinessQuestion, range: Range, clock: Clock): Range | null => {
  if (!q.compare) return null;
  return q.compareTo === null ? rangeBefore(range, q.range, clock) : rangeFarBefore(range, q.compareTo, clock);
};

const unitsBack: Readonly<Record<string, object>> = {
  d: { days: 1 },
  w: { days: 7 },
  m: { months: 1 },
  q: { days: 91 },
  y: { years: 2 },
};

/** Midnights stay midnights, and ends of days ends of days. */
const rangeFarBefore = ({ from, to }: Range, distance: string, clock: Clock): Range => {
  const back = unitsBack[distance.slice(-1)] ?? {};
  const moved = (at: number) => DateTime.fromMillis(at, { zone: clock.zone }).minus(back).toMillis();
  const dayOf = (at: number) =>
    startOf('day', DateTime.fromMillis(at, { zone: clock.zone }).set({ hour: 12 }).minus(back).toJSDate(), clock);
  const endOf = (day: Date) => following('day', day, clock).getTime() - 1;
  const isMidnight = startOf('day', new Date(from), clock).getTime() === from;
  const isLast = endOf(startOf('day', new Date(to), clock)) === to;
  return { from: isMidnight ? dayOf(from).getTime() : moved(from), to: isLast ? endOf(dayOf(to)) : moved(to) };
};

/**
 * So many days earlier as there are days; where days were counted back from today, one less; `-24h` a day earlier to the
 * millisecond. Null for other ranges that are not made of days.
 */
export const rangeBefore = ({ from, to }: Range, said: SaidRange, clock: Clock): Range | null => {
  const [, count, unit = ''] = /^-?(\d+)([hMs])$/.exec(said.from ?? '') ?? [];
  if (count !== undefined && (said.to === null || said.to === 'now') && from <= to) {
    const ms = Number(count) * ({ h: 3_600_000, M: 60_000, s: 1_000 }[unit] ?? 0);
    return { from: from - ms, to: to - ms };
  }
  const first = startOf('day', new Date(from), clock);
  const last = startOf('day', new Date(to), clock);
  const isWhole = first.getTime() === from && following('day', last, clock).getTime() - 1 === to;
  if (from > to || !isWhole) return null;
  const days = bucketsOf('day', new Date(from), new Date(to), clock).length;
  const isCounted = said.from === null || /^-?\d+[dwmqy]$/.test(said.from);
  const back = isCounted ? Math.max(1, days - 1) : days;
  const moved = (day: Date): Date => {
    let at = day;
    for (let n = 0; n < back; n += 1) at = startOf('day', new Date(at.getTime() - 1), clock);
    return at;
  };
  return { from: moved(first).getTime(), to: following('day', moved(last), clock).getTime() - 1 };
};
