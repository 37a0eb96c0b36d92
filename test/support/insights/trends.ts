import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  breakdownQuery,
  compareLists,
  naiveBreakdown,
  numberOf,
  textOf,
  textsOf,
  type NaiveBreakdown,
} from './breakdown.js';
import { bucketsOf, following, startOf, type Clock, type Interval } from './buckets.js';
import { comparedWith } from './comparison.js';
import { type Model, type ModelEvent } from './model.js';
import { eventNames, ghost, type Stream } from './stream.js';
import { queryOf } from './walk.js';

/** A question about a stream, with random values. */
export interface TrendsQuestion {
  readonly series: readonly TrendsQuestionSeries[];
  readonly interval: Interval;
  readonly from: { readonly text: string; readonly at: number };
  readonly to: { readonly text: string; readonly at: number };
  readonly display: 'ActionsLineGraph' | 'ActionsLineGraphCumulative' | 'ActionsTable';
  readonly breakdown: NaiveBreakdown | null;
  /** Of questions without a breakdown. */
  readonly compare: boolean;
  /** So far back is the other range; null: directly before. */
  readonly compareTo: string | null;
}

export interface TrendsQuestionSeries {
  /** Empty: any event. */
  readonly names: readonly string[];
  readonly filter: { readonly key: string; readonly value: string } | null;
  readonly math: string;
}

const mathProperty = 'size';
const dayMs = 86_400_000;

export const maths = [
  'total',
  'dau',
  'unique_session',
  'weekly_active',
  'monthly_active',
  'first_time_for_user',
  'first_matching_event_for_user',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'p75',
  'p90',
  'p95',
  'p99',
  'avg_count_per_actor',
  'min_count_per_actor',
  'max_count_per_actor',
  'median_count_per_actor',
  'p75_count_per_actor',
  'p90_count_per_actor',
  'p95_count_per_actor',
  'p99_count_per_actor',
] as const;

/** Maths whose number is a number of persons. */
export const countsPersons = (math: string): boolean =>
  /^(dau|weekly_active|monthly_active|first_time_for_user|first_matching_event_for_user)$/.test(math);

const spanDays: Record<Interval, number> = { minute: 0.05, hour: 2, day: 14, week: 14, month: 14 };

/** The question about the range that it compares with; null where it does not. */
export const comparedQuestion = (q: TrendsQuestion, clock: Clock): TrendsQuestion | null => {
  if (q.breakdown !== null || q.from.at > q.to.at) return null;
  const written = { range: { from: q.from.text, to: q.to.text }, compare: q.compare, compareTo: q.compareTo };
  const range = comparedWith(written, { from: q.from.at, to: q.to.at }, clock);
  return range && { ...q, from: { ...q.from, at: range.from }, to: { ...q.to, at: range.to } };
};

/** Points around the moment that the stream is about. */
export const trendsQuestion = ({ zone }: Stream, around: number): fc.Arbitrary<TrendsQuestion> =>
  fc.constantFrom<Interval>('minute', 'hour', 'day', 'week', 'month').chain((interval) => {
    const quarters = Math.floor(spanDays[interval] * 96);
    const moment = (min: number, max: number, isEnd: boolean) =>
      fc.tuple(fc.integer({ min, max }), fc.boolean()).map(([offset, asDay]) => {
        const at = around + offset * 900_000;
        if (!asDay || interval === 'minute') return { text: new Date(at).toISOString(), at };
        const local = DateTime.fromMillis(at, { zone });
        return {
          text: local.toFormat('yyyy-MM-dd'),
          at: (isEnd ? local.endOf('day') : local.startOf('day')).toMillis(),
        };
      });
    return fc.record({
      series: fc.array(
        fc.record({
          names: fc.oneof(fc.constant([]), fc.subarray([...eventNames], { minLength: 1, maxLength: 2 })),
          filter: fc.option(
            fc.record({ key: fc.constantFrom('plan', 'size', "o'b.c $1"), value: fc.constantFrom('x', '2', '1') }),
            { freq: 2 },
          ),
          math: fc.constantFrom(...maths),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      interval: fc.constant(interval),
      from: moment(-quarters, 2, false),
      to: moment(-2, quarters, true),
      display: fc.constantFrom('ActionsLineGraph', 'ActionsLineGraph', 'ActionsLineGraphCumulative', 'ActionsTable'),
      breakdown: fc.option(naiveBreakdown),
      compare: fc.boolean(),
      compareTo: fc.constantFrom(null, null, '-1d', '-1w', '-1m', '-1q', '-2y'),
    });
  });

export const trendsParameters = (
  { series, interval, from, to, display, breakdown, compareTo }: TrendsQuestion,
  compares: boolean,
) => ({
  events: JSON.stringify(
    series.map(({ names, filter, math }) => ({
      ...(names.length === 1
        ? { id: names[0] }
        : names.length === 0
          ? { id: null }
          : { name: 'two', any_of: names.map((id) => ({ id })) }),
      ...(filter ? { properties: [{ ...filter, type: 'event' }] } : {}),
      math,
      math_property: mathProperty,
    })),
  ),
  interval,
  date_from: from.text,
  date_to: to.text,
  display,
  ...(!compares ? {} : compareTo ? { compare_to: compareTo } : { compare: 'true' }),
  ...(breakdown ? queryOf(breakdownQuery(breakdown)) : {}),
});

export interface NaiveLine {
  /** Null without a breakdown. */
  readonly value: string | readonly string[] | null;
  readonly points: readonly NaivePoint[];
}

export interface NaivePoint {
  /** A moment of the point; null for the whole range. */
  readonly day: string | null;
  readonly number: number;
  /** What each person contributes. */
  readonly people: ReadonlyMap<string, number>;
}

interface Span {
  readonly start: number;
  readonly holds: (event: ModelEvent) => boolean;
}

const actorOf = (event: ModelEvent): string => event.person?.name ?? ghost;
/** What a series of a question should answer, found event by event. */
export const naiveTrends = (
  model: Model,
  stream: Stream,
  q: TrendsQuestion,
  series: TrendsQuestionSeries,
): NaiveLine[] => {
  const named = model.events.filter((event) => isNamed(series, event));
  const passes = (event: ModelEvent) => passesFilter(series, event);
  const texts = q.breakdown ? textsOf(q.breakdown, eventsOfAll(model, stream, q)) : () => [];
  const valueOf = (event: ModelEvent): string => {
    const [first = '', ...others] = texts(event);
    return others.length === 0 ? first : JSON.stringify([first, ...others]);
  };
  const counted =
    series.math === 'first_time_for_user'
      ? firstTimes(named, passes, texts, q.to.at)
      : series.math === 'first_matching_event_for_user'
        ? firstTimes(named.filter(passes), passes, texts, q.to.at)
        : named.filter(passes);
  const spans = spansOf(stream, q, series.math);
  if (q.breakdown === null) return [{ value: null, points: pointsOf(q, series, spans, counted) }];
  const reachable = counted.filter((event) => mayCount(event, stream, q, series.math));
  const { shown, hasRest } = shownValues(reachable.map(valueOf), q.breakdown);
  const lines = shown.map((value): NaiveLine => {
    const mine = counted.filter((event) => valueOf(event) === value);
    const parsed = q.breakdown?.parts.length === 1 ? value : (JSON.parse(value) as string[]);
    return { value: parsed, points: pointsOf(q, series, spans, mine) };
  });
  const rest = counted.filter((event) => !shown.includes(valueOf(event)));
  return hasRest ? [...lines, { value: 'Other', points: pointsOf(q, series, spans, rest) }] : lines;
};

const isNamed = ({ names }: TrendsQuestionSeries, { event }: ModelEvent): boolean =>
  names.length === 0 || names.includes(event);

const passesFilter = ({ filter }: TrendsQuestionSeries, { properties }: ModelEvent): boolean =>
  filter === null || (textOf(properties[filter.key]) === filter.value && properties[filter.key] !== undefined);

/** What any of the series may count, among which bins find their bounds. */
const eventsOfAll = (model: Model, stream: Stream, q: TrendsQuestion): ModelEvent[] => {
  const mayCountOf = (event: ModelEvent) => q.series.some(({ math }) => mayCount(event, stream, q, math));
  return model.events.filter(
    (event) => q.series.some((one) => isNamed(one, event) && passesFilter(one, event)) && mayCountOf(event),
  );
};

/** Of each actor the first event of all, if it passes; of several at that moment the one with the smallest value. */
const firstTimes = (
  named: readonly ModelEvent[],
  passes: (event: ModelEvent) => boolean,
  texts: (event: ModelEvent) => string[],
  to: number,
): ModelEvent[] =>
  [...new Set(named.map(actorOf))].flatMap((actor) => {
    const mine = named.filter((event) => actorOf(event) === actor && event.timestamp.getTime() <= to);
    const began = Math.min(...mine.map(({ timestamp }) => timestamp.getTime()));
    const first = mine.filter((event) => event.timestamp.getTime() === began && passes(event));
    return first.sort((a, b) => compareLists(texts(a), texts(b))).slice(0, 1);
  });

const shownValues = (values: readonly string[], { limit, parts }: NaiveBreakdown) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const textsOfValue = (value: string) => (parts.length === 1 ? [value] : (JSON.parse(value) as string[]));
  const ranked = [...counts]
    .sort(([a, n], [b, m]) => m - n || compareLists(textsOfValue(a), textsOfValue(b)))
    .map(([value]) => value);
  return { shown: ranked.slice(0, limit), hasRest: ranked.length > limit };
};

const eventsFrom = (stream: Stream, { interval, from, display }: TrendsQuestion): number =>
  display !== 'ActionsTable' && (interval === 'week' || interval === 'month')
    ? startOf(interval, new Date(from.at), stream).getTime()
    : from.at;

const isLong = (interval: Interval) => interval !== 'minute' && interval !== 'hour';

/** True if values are ranked by this event: all events that are not before or after everything that counts. */
const mayCount = (event: ModelEvent, stream: Stream, q: TrendsQuestion, math: string): boolean => {
  if (q.from.at > q.to.at) return false;
  const at = event.timestamp.getTime();
  if (at > q.to.at) return false;
  const reach = reachDays(q, math);
  if (at >= eventsFrom(stream, q)) return true;
  return (
    reach !== null &&
    at >= Math.min(...spansOf(stream, q, math).map(({ start }) => reachStart(stream, q, start, reach)))
  );
};

/** Null where the math counts the persons of each point: at points at least as long as its days, too. */
const reachDays = ({ interval, display }: TrendsQuestion, math: string): number | null => {
  const hasPoints = display !== 'ActionsTable';
  if (math === 'weekly_active') return hasPoints && (interval === 'week' || interval === 'month') ? null : 7;
  if (math === 'monthly_active') return hasPoints && interval === 'month' ? null : 30;
  return null;
};

const reachStart = (
  { zone }: Stream,
  { interval, to, display }: TrendsQuestion,
  start: number,
  days: number,
): number => {
  if (display === 'ActionsTable') return DateTime.fromMillis(to.at, { zone }).minus({ days }).toMillis() + 1;
  if (!isLong(interval)) return start - (days - 1) * dayMs + 1;
  let day = DateTime.fromMillis(start, { zone }).set({ hour: 12 });
  for (let back = 1; back < days; back += 1) day = day.minus({ days: 1 });
  return day.startOf('day').toMillis();
};

const spansOf = (stream: Stream, q: TrendsQuestion, math: string): Span[] => {
  const { interval, to, display } = q;
  const reach = reachDays(q, math);
  const within = (event: ModelEvent, from: number, end: number) =>
    event.timestamp.getTime() >= from && event.timestamp.getTime() < end && event.timestamp.getTime() <= to.at;
  if (q.from.at > to.at) return [];
  if (display === 'ActionsTable') {
    const from = reach === null ? q.from.at : reachStart(stream, q, q.from.at, reach);
    return [{ start: q.from.at, holds: (event) => within(event, from, Infinity) }];
  }
  return bucketsOf(interval, new Date(q.from.at), new Date(to.at), stream).map((start): Span => {
    const at = start.getTime();
    if (reach === null) {
      const end = following(interval, start, stream).getTime();
      return { start: at, holds: (event) => within(event, Math.max(at, eventsFrom(stream, q)), end) };
    }
    const end = isLong(interval) ? following('day', startOf('day', start, stream), stream).getTime() : at + dayMs;
    return { start: at, holds: (event) => within(event, reachStart(stream, q, at, reach), end) };
  });
};

const pointsOf = (
  q: TrendsQuestion,
  { math }: TrendsQuestionSeries,
  spans: readonly Span[],
  events: readonly ModelEvent[],
): NaivePoint[] => {
  const isCumulative = q.display === 'ActionsLineGraphCumulative';
  const isNumeric = aggregates[math] !== undefined;
  let sum = 0;
  return spans.map(({ start, holds }, at) => {
    const own = events.filter(holds);
    sum += numberIn(math, own);
    const soFar = isCumulative
      ? events.filter((event) => spans.slice(0, at + 1).some((span) => span.holds(event)))
      : own;
    const number = !isCumulative ? numberIn(math, own) : countsPersons(math) ? numberIn(math, soFar) : sum;
    const people = new Map<string, number>();
    for (const actor of new Set(soFar.map(actorOf))) {
      const mine = soFar.filter((event) => actorOf(event) === actor);
      const numbers = mine.flatMap(({ properties }) => numberOf(properties[mathProperty]) ?? []);
      if (math === 'unique_session') {
        if (sessionsOf(mine).size > 0) people.set(actor, sessionsOf(mine).size);
      } else if (!isNumeric) people.set(actor, mine.length);
      else if (numbers.length > 0) people.set(actor, aggregates[math]?.(numbers) ?? 0);
    }
    return { day: q.display === 'ActionsTable' ? null : new Date(start).toISOString(), number, people };
  });
};

/** The sessions that events name; an empty name is none. */
const sessionsOf = (events: readonly ModelEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ properties: { $session_id: id } }) =>
      id === null || id === undefined || id === '' ? [] : [textOf(id)],
    ),
  );

const share = (part: number) => (numbers: readonly number[]) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = part * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
};

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

const aggregates: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  sum: total,
  avg: (numbers) => total(numbers) / numbers.length,
  min: (numbers) => Math.min(...numbers),
  max: (numbers) => Math.max(...numbers),
  median: share(0.5),
  p75: share(0.75),
  p90: share(0.9),
  p95: share(0.95),
  p99: share(0.99),
};

const numberIn = (math: string, events: readonly ModelEvent[]): number => {
  const actors = [...new Set(events.map(actorOf))];
  if (math === 'total') return events.length;
  if (countsPersons(math)) return actors.length;
  if (math === 'unique_session') return sessionsOf(events).size;
  const perActor = /^(.*)_count_per_actor$/.exec(math)?.[1];
  const numbers = perActor
    ? actors.map((actor) => events.filter((event) => actorOf(event) === actor).length)
    : events.flatMap(({ properties }) => numberOf(properties[mathProperty]) ?? []);
  return numbers.length === 0 ? 0 : (aggregates[perActor ?? math]?.(numbers) ?? NaN);
};
