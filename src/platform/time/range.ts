import { invalidInput } from '../errors/problem.js';
import { requireDate, storable } from './dates.js';
import {
  endOfDay,
  inZone,
  pointLabel,
  startOf,
  startOfDay,
  startOfNext,
  type Calendar,
  type Interval,
} from './intervals.js';

/** Both ends included, in whole milliseconds. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** The range of a question before its beginning is known. */
export interface DateRange {
  /** Null is since the earliest event, which only the store knows. */
  readonly from: Date | null;
  readonly to: Date;
  /** `-7d` means today and the seven days before, so it shares a day with the week before when the two are compared. */
  readonly isCounted: boolean;
  /** The length of `-24h` and the like when they end now; null for all other ranges. */
  readonly shortMs: number | null;
}

export const defaultDateFrom = '-7d';

export interface RangeInput {
  readonly date_from?: string;
  readonly date_to?: string | undefined;
}

export interface RangeOptions {
  /** `-2d` begins at midnight even with an hour interval. */
  readonly wholeDays?: boolean;
}

/**
 * Reads the range of a question: from the beginning of the first day (`-24h` and the like: to the millisecond, or with an
 * hour interval from the beginning of that hour) to the end of the last. Without `date_to` it is the end of the current
 * interval, at least of the day. A range that would end before it begins is refused.
 */
export const readRange = (
  { date_from = defaultDateFrom, date_to }: RangeInput,
  interval: Interval,
  now: Date,
  calendar: Calendar,
  { wholeDays = false }: RangeOptions = {},
): DateRange => {
  const from = date_from === 'all' ? null : storable(readFrom(date_from, wholeDays ? 'day' : interval, now, calendar));
  const to = storable(readTo(date_to, interval, now, calendar));
  if (from !== null && from > to) {
    throw invalidInput(`date_from (here ${date_from.trim()}) must not be later than date_to`, 'date_from');
  }
  return {
    from,
    to,
    isCounted: counted.test(date_from.trim()),
    shortMs: isNow(date_to) ? shortMs(date_from, wholeDays ? 'day' : interval) : null,
  };
};

const counted = /^-?\d+[dwmqy]$/;
const short = /^-?(\d+)([hMs])$/;
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, M: 60_000, s: 1000 };

/** In whole points of the axis, which begins with a whole point too. */
const shortMs = (date_from: string, interval: Interval): number | null => {
  const [, count, unit = ''] = short.exec(date_from.trim()) ?? [];
  if (count === undefined) return null;
  const point = interval === 'hour' ? 3_600_000 : interval === 'minute' ? 60_000 : 1;
  return Math.ceil((Number(count) * (unitMs[unit] ?? 0)) / point) * point;
};

const isNow = (date_to: string | undefined): boolean => date_to === undefined || date_to === '' || date_to === 'now';

const readFrom = (text: string, interval: Interval, now: Date, calendar: Calendar): Date => {
  const { at, precision, isShort } = requireDate(text, 'date_from', now, calendar);
  const isFine = interval === 'hour' || interval === 'minute';
  // "-1d" with an hour interval goes back 24 hours, to the beginning of that hour; a named day begins at midnight.
  if (precision === 'day' && isFine && counted.test(text.trim())) {
    return startOf(interval, at.toJSDate(), calendar);
  }
  if (precision === 'day') return startOfDay(at).toJSDate();
  return isShort && isFine ? startOf(interval, at.toJSDate(), calendar) : at.toJSDate();
};

const readTo = (text: string | undefined, interval: Interval, now: Date, calendar: Calendar): Date => {
  const isFine = interval === 'hour' || interval === 'minute';
  if (text === undefined || isNow(text)) {
    return isFine ? lastOf(interval, now, calendar) : endOfDay(inZone(now, calendar)).toJSDate();
  }
  const { at, precision } = requireDate(text, 'date_to', now, calendar);
  return (precision === 'day' ? endOfDay(at) : at).toJSDate();
};

const lastOf = (interval: Interval, at: Date, calendar: Calendar): Date =>
  new Date(startOfNext(interval, at, calendar).getTime() - 1);

/** The points of a time axis. `starts[i]` is the first moment of point i; point i ends where the next begins. */
export interface Buckets {
  readonly interval: Interval;
  readonly starts: readonly Date[];
  /** The first moment after the last point. */
  readonly end: Date;
  readonly labels: readonly string[];
}

export const maxBuckets = 10_000;

/** All intervals that a range touches, the first and the last as a whole. A range that ends before it begins has none. */
export const bucketsOf = (range: TimeRange, interval: Interval, calendar: Calendar): Buckets => {
  const starts: Date[] = [];
  let next = startOf(interval, range.from, calendar);
  if (range.to < range.from) return { interval, starts, end: next, labels: [] };
  while (next <= range.to) {
    starts.push(next);
    if (starts.length > maxBuckets) {
      throw invalidInput(
        `the range has more than ${maxBuckets} points: choose a longer interval or a shorter range`,
        'interval',
      );
    }
    next = startOfNext(interval, next, calendar);
  }
  return { interval, starts, end: next, labels: starts.map((start) => pointLabel(interval, start, calendar)) };
};
