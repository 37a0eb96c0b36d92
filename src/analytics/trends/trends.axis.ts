import { inZone, startOf, startOfNext, type Calendar, type Interval } from '../../common/time/intervals.js';
import { bucketsOf, type Buckets, type TimeRange } from '../../common/time/range.js';
import { type Display } from './trends.parameters.js';

/** The points of a series, and which events may count at them. */
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

/** Weeks and months count as a whole from the first one on; everything else from the very moment that was said. */
export const axisOf = (range: TimeRange, interval: Interval, display: Display, calendar: Calendar): TrendsAxis => {
  if (display === 'total') {
    const starts = isEmpty(range) ? [] : [range.from];
    return { display, interval, buckets: { interval, starts, end: after(range), labels: [] }, events: range };
  }
  const buckets = bucketsOf(range, interval, calendar);
  const isWhole = interval === 'week' || interval === 'month';
  return { display, interval, buckets, events: { from: (isWhole && buckets.starts[0]) || range.from, to: range.to } };
};

/** The events of each point. */
export const ownSpans = ({ buckets: { starts, end }, events }: TrendsAxis): TimeRange[] =>
  starts.map((start, at) => ({
    from: later(start, events.from),
    to: earlier(before(starts[at + 1] ?? end), events.to),
  }));

/**
 * The events of each point where persons count that were active in so many days: by the day and longer those up to its first day, by the
 * hour and shorter the day that begins with it and the time before, as users of such a chart know it.
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
    // Through noon: a day may begin at 01:00.
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
 * Time cut wherever a span begins or ends: every piece lies in the same spans from end to end, and as spans move on only, these are
 * neighbours.
 */
export interface Pieces {
  readonly buckets: Buckets;
  readonly range: TimeRange;
  /** The first and the last of the spans that each piece lies in; the first is behind the last where there are none. */
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Whether every piece lies in a span. */
  readonly gapless: boolean;
}

/** Null where no span holds anything. */
export const piecesOf = (spans: readonly TimeRange[], interval: Interval): Pieces | null => {
  const real = spans.filter((span) => !isEmpty(span));
  const edges = [...new Set(real.flatMap((span) => [span.from.getTime(), after(span).getTime()]))].sort(
    (a, b) => a - b,
  );
  const [start, end] = [edges[0], edges.at(-1)];
  if (start === undefined || end === undefined) return null;
  const begins = edges.slice(0, -1);
  const first: number[] = [];
  const last: number[] = [];
  let [low, high] = [0, -1];
  for (const begin of begins) {
    while (low < spans.length && (spans[low]?.to.getTime() ?? 0) < begin) low += 1;
    while (high + 1 < spans.length && (spans[high + 1]?.from.getTime() ?? 0) <= begin) high += 1;
    first.push(low);
    last.push(high);
  }
  return {
    buckets: { interval, starts: begins.map((ms) => new Date(ms)), end: new Date(end), labels: [] },
    range: { from: new Date(start), to: new Date(end - 1) },
    first,
    last,
    gapless: first.every((place, at) => place <= (last[at] ?? -1)),
  };
};

/** The place of the point that a moment lies in, or -1. */
export const bucketAt = (at: Date, { buckets: { starts, end } }: TrendsAxis): number =>
  at < end ? starts.findLastIndex((start) => start <= at) : -1;
