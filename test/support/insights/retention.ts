import fc from 'fast-check';
import { DateTime } from 'luxon';
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
  readonly filters: readonly Leaf[];
  readonly withoutTestAccounts: boolean;
}

const pageview: Counted = { names: ['$pageview'], filters: [] };
const hourMs = 3_600_000;

/** Half of the questions end near the moment, so that it lies on the axis. */
const reachHours = { hour: 6, day: 5 * 24, week: 20 * 24, month: 40 * 24 } as const;

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
        filters: fewFilters,
        withoutTestAccounts: fc.constantFrom(false, false, false, true),
      }),
    );

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
  ...(q.filters.length > 0 && { properties: JSON.stringify(q.filters) }),
  filter_test_accounts: String(q.withoutTestAccounts),
});

export interface NaiveRetention {
  readonly labels: readonly string[];
  readonly dates: readonly string[];
  /** For each interval who began in it, with a 1 or 0 for that one and each one behind it. */
  readonly rows: readonly ReadonlyMap<string, readonly number[]>[];
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

/** Each person for itself: when it began, when it was there, and what that makes of every interval behind. */
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
    const isThere = (place: number) => returns.filter((event) => isIn(event, place)).length >= q.least;
    for (const [place, row] of rows.entries()) {
      if (!beginnings.some((event) => isIn(event, place))) continue;
      const later = starts.slice(place).map((_, later) => place + later);
      const counts = (at: number) =>
        at === place || (q.cumulative ? later.some((other) => other >= at && isThere(other)) : isThere(at));
      row.set(
        actor,
        later.map((at) => (counts(at) ? 1 : 0)),
      );
    }
  }
  return {
    labels: starts.map((_, place) => `${periodOf[q.interval]} ${place}`),
    dates: starts.map((start) => labelOf(q.interval, start, clock)),
    rows,
  };
};
