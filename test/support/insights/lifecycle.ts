import fc from 'fast-check';
import { bucketsOf, following, startOf, type Clock, type Interval } from './buckets.js';
import { counted, counts, entityOf, filterGroup, passes, seldom, type Counted, type FilterGroup } from './filters.js';
import { actorOf, type Model } from './model.js';
import { rangeParameters, writtenRange, type Range, type WrittenRange } from './ranges.js';

export interface LifecycleQuestion {
  readonly entity: Counted;
  readonly interval: Interval;
  readonly range: WrittenRange;
  readonly filter: FilterGroup | null;
  readonly filterTestAccounts: boolean;
}

export const lifecycleQuestion = (clock: Clock, around: number, now: number): fc.Arbitrary<LifecycleQuestion> =>
  fc.constantFrom<Interval>('minute', 'hour', 'day', 'day', 'week', 'month').chain((interval) =>
    fc.record({
      entity: counted,
      interval: fc.constant(interval),
      range: writtenRange(interval, clock, around, now),
      filter: seldom(filterGroup),
      filterTestAccounts: seldom(fc.constant(true)).map((value) => value ?? false),
    }),
  );

export const lifecycleParameters = (q: LifecycleQuestion): Record<string, string> => ({
  events: JSON.stringify([entityOf(q.entity)]),
  interval: q.interval,
  ...rangeParameters(q.range),
  ...(q.filter ? { properties: JSON.stringify(q.filter) } : {}),
  ...(q.filterTestAccounts ? { filter_test_accounts: 'true' } : {}),
});

export const lifecycleStates = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export type LifecycleState = (typeof lifecycleStates)[number];

/** One point: when it begins, and the names of those in each state. */
export interface NaiveLifecyclePoint extends Readonly<Record<LifecycleState, readonly string[]>> {
  readonly start: Date;
}

/** The persons active in a point or the one before, one by one. Points are whole, also where the range cuts them. */
export const naiveLifecycle = (
  { events }: Model,
  clock: Clock,
  { from, to }: Range,
  { entity, interval, filter }: Pick<LifecycleQuestion, 'entity' | 'interval' | 'filter'>,
  testAccounts: FilterGroup | null,
): NaiveLifecyclePoint[] => {
  const own = events.filter((event) => counts(entity, event) && passes(filter, event) && passes(testAccounts, event));
  const names = [...new Set(own.map(actorOf))].sort();
  const within = (at: Date, start: Date, end: Date) => at >= start && at < end;
  const activeIn = (name: string, start: Date, end: Date) =>
    own.some((event) => actorOf(event) === name && within(event.timestamp, start, end));
  /** Without a person, the first event counts. */
  const born = (name: string): Date => {
    const theirs = events.filter((event) => actorOf(event) === name);
    const person = theirs.find((event) => event.person !== null)?.person;
    return person?.createdAt ?? new Date(Math.min(...theirs.map(({ timestamp }) => timestamp.getTime())));
  };
  const starts = from > to ? [] : bucketsOf(interval, new Date(from), new Date(to), clock);
  return starts.map((start): NaiveLifecyclePoint => {
    const end = following(interval, start, clock);
    const before = startOf(interval, new Date(start.getTime() - 1), clock);
    const states: Record<LifecycleState, string[]> = { new: [], returning: [], resurrecting: [], dormant: [] };
    for (const name of names) {
      const wasActive = activeIn(name, before, start);
      if (!activeIn(name, start, end)) {
        if (wasActive) states.dormant.push(name);
      } else if (within(born(name), start, end)) states.new.push(name);
      else states[wasActive ? 'returning' : 'resurrecting'].push(name);
    }
    return { start, ...states };
  });
};
