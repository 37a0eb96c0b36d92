import fc from 'fast-check';
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
    }),
  );

export const stickinessParameters = (q: StickinessQuestion): Record<string, string> => ({
  events: JSON.stringify(q.series.map(entityOf)),
  interval: q.interval,
  ...rangeParameters(q.range),
  ...(q.filter ? { properties: JSON.stringify(q.filter) } : {}),
  ...(q.filterTestAccounts ? { filter_test_accounts: 'true' } : {}),
  ...(q.criteria ? { stickiness_criteria: JSON.stringify(q.criteria) } : {}),
});

/** The names of those who were active on exactly n intervals, at place n - 1. */
export type NaiveStickiness = readonly (readonly string[])[];

/** Whoever did it, interval by interval. */
export const naiveStickiness = (
  { events }: Model,
  clock: Clock,
  { from, to }: Range,
  q: Pick<StickinessQuestion, 'interval' | 'criteria' | 'filter'>,
  series: Counted,
  testAccounts: FilterGroup | null,
): NaiveStickiness => {
  if (from > to) return [];
  const buckets = bucketsOf(q.interval, new Date(from), new Date(to), clock);
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
    return buckets.filter((start) => {
      const end = following(q.interval, start, clock);
      const times = mine.filter(({ timestamp }) => timestamp >= start && timestamp < end).length;
      return times > 0 && isEnough(q.criteria, times);
    }).length;
  };
  const active = names.map((name) => [name, activeIn(name)] as const);
  return buckets.map((_, at) =>
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
