import { inZone, startOf, startOfNext, type Calendar, type Interval } from '../../platform/time/intervals.js';
import { bucketsOf, type Buckets, type TimeRange } from '../../platform/time/range.js';
import { type Display } from './trends.parameters.js';

/** The points of a series, and the time range of the events that count. */
export interface TrendsAxis {
  readonly display: Display;
  readonly interval: Interval;
  readonly buckets: Buckets;
  readonly events: TimeRange;
}

const dayMs = 86_400_000;

const after = ({ to }: TimeRange): Date => new Date(to.getTime() + 1);
const before = (at: Date): Date => new Date(at.getTime() - 1);
const later = (a: Date, b: Date): Date => (a > b ? a : b);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const isEmpty = ({ from, to }: TimeRange): boolean => to < from;

/** The first week or month counts as a whole; shorter intervals count from the exact start of the range. */
export const axisOf = (range: TimeRange, interval: Interval, display: Display, calendar: Calendar): TrendsAxis => {
  if (display === 'total') {
    const starts = isEmpty(range) ? [] : [range.from];
    return { display, interval, buckets: { interval, starts, end: after(range), labels: [] }, events: range };
  }
  const buckets = bucketsOf(range, interval, calendar);
  const isWhole = interval === 'week' || interval === 'month';
  return { display, interval, buckets, events: { from: (isWhole && buckets.starts[0]) || range.from, to: range.to } };
};

/** The time span of the events of each point. */
export const ownSpans = ({ buckets: { starts, end }, events }: TrendsAxis): TimeRange[] =>
  starts.map((start, at) => ({
    from: later(start, events.from),
    to: earlier(before(starts[at + 1] ?? end), events.to),
  }));

/** The time range from one point to another, in which the events of these points count. Null if it is empty. */
export const rangeOfPoints = ({ buckets: { starts, end }, events }: TrendsAxis, first: number, last: number) => {
  const start = starts[first];
  if (start === undefined) return null;
  const range: TimeRange = {
    from: later(start, events.from),
    to: earlier(before(starts[last + 1] ?? end), events.to),
  };
  return isEmpty(range) ? null : range;
};

/**
 * The time span of each point at which persons count who were active in the last `days` days. By day and week, the span ends with the
 * first day of the point. By hour and shorter, the last of the days begins with the point, as in the reference product. Each span
 * is longer than an interval, so there are no gaps between them.
 */
export const reachSpans = (axis: TrendsAxis, days: number, calendar: Calendar): TimeRange[] => {
  const { buckets, events, display, interval } = axis;
  const spanAt = (start: Date): TimeRange => {
    if (display === 'total') {
      return {
        from: after({ from: start, to: inZone(events.to, calendar).minus({ days }).toJSDate() }),
        to: events.to,
      };
    }
    if (interval === 'minute' || interval === 'hour') {
      return {
        from: new Date(start.getTime() - (days - 1) * dayMs + 1),
        to: earlier(new Date(start.getTime() + dayMs - 1), events.to),
      };
    }
    // Subtracts at noon, because a day may begin at 01:00.
    const first = inZone(start, calendar)
      .set({ hour: 12 })
      .minus({ days: days - 1 });
    return {
      from: startOf('day', first.toJSDate(), calendar),
      to: earlier(before(startOfNext('day', start, calendar)), events.to),
    };
  };
  return buckets.starts.map(spanAt);
};

/**
 * Time, cut wherever a span begins or ends, so that a piece is completely inside or outside of each span. Begins and ends of spans only
 * increase, so the spans that contain a piece are consecutive.
 */
export interface Pieces {
  readonly buckets: Buckets;
  readonly range: TimeRange;
  /** The first and the last span that contain each piece. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** The spans have no gaps between them. Null if all are empty. Computes with numbers, because there may be ten thousand spans. */
export const piecesOf = (spans: readonly TimeRange[], interval: Interval): Pieces | null => {
  const froms = spans.map(({ from }) => from.getTime());
  const tos = spans.map(({ to }) => to.getTime());
  const real = froms.flatMap((from, at) => ((tos[at] ?? from) < from ? [] : [from, (tos[at] ?? from) + 1]));
  const edges = [...new Set(real)].sort((a, b) => a - b);
  const [start, end] = [edges[0], edges.at(-1)];
  if (start === undefined || end === undefined) return null;
  const begins = edges.slice(0, -1);
  const first: number[] = [];
  const last: number[] = [];
  let [low, high] = [0, -1];
  for (const begin of begins) {
    while (low < spans.length && (tos[low] ?? 0) < begin) low += 1;
    while (high + 1 < spans.length && (froms[high + 1] ?? 0) <= begin) high += 1;
    first.push(low);
    last.push(high);
  }
  return {
    buckets: { interval, starts: begins.map((ms) => new Date(ms)), end: new Date(end), labels: [] },
    range: { from: new Date(start), to: new Date(end - 1) },
    first,
    last,
  };
};

/** The index of the point that contains a moment, or -1. */
export const bucketAt = (at: Date, { buckets: { starts, end } }: TrendsAxis): number =>
  at < end ? starts.findLastIndex((start) => start <= at) : -1;
