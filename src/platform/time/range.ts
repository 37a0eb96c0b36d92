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

/** A range of whole milliseconds that includes both ends. */
export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** The range of a question before its beginning is known. */
export interface DateRange {
  /** Null means from the earliest event, which only the store knows. */
  readonly from: Date | null;
  readonly to: Date;
  /** True for `-7d` and the like. That is today and seven days before, so it shares a day with the period before it. */
  readonly isCounted: boolean;
  /** The length of a range such as `-24h` that ends now; null for all other ranges. */
  readonly shortMs: number | null;
}

export const defaultDateFrom = '-7d';

export interface RangeInput {
  readonly date_from?: string;
  readonly date_to?: string | undefined;
  /** True: both ends are exact moments, and relative dates are not rounded to a day. */
  readonly isExplicit?: boolean;
  /** True: only whole intervals that are over. */
  readonly onlyComplete?: boolean;
}

export interface RangeOptions {
  /** `-2d` begins at midnight even with an hour interval. */
  readonly wholeDays?: boolean;
}

/**
 * Reads the range of a question, from the beginning of its first day to the end of its last. `-24h` and the like begin at the
 * exact millisecond or, with intervals of an hour or a minute, at the beginning of such an interval. Without `date_to` the range
 * ends with the current hour or minute, or with the current day if intervals are longer. Refuses a range that ends before it
 * begins.
 */
export const readRange = (
  { date_from = defaultDateFrom, date_to, isExplicit = false, onlyComplete = false }: RangeInput,
  interval: Interval,
  now: Date,
  calendar: Calendar,
  { wholeDays = false }: RangeOptions = {},
): DateRange => {
  const momentOf = (text: string, attr: string): Date => requireDate(text, attr, now, calendar).at.toJSDate();
  const fromOf = (text: string): Date =>
    isExplicit ? momentOf(text, 'date_from') : readFrom(text, wholeDays ? 'day' : interval, now, calendar);
  const from = date_from === 'all' ? null : storable(fromOf(date_from));
  const to = storable(isExplicit ? momentOf(date_to || 'now', 'date_to') : readTo(date_to, interval, now, calendar));
  if (from !== null && from > to) {
    throw invalidInput(`date_from (here ${date_from.trim()}) must not be later than date_to`, 'date_from');
  }
  if (onlyComplete) return completed({ from, to }, interval, now, calendar);
  return {
    from,
    to,
    isCounted: !isExplicit && counted.test(date_from.trim()),
    shortMs: !isExplicit && isNow(date_to) ? shortMs(date_from, wholeDays ? 'day' : interval) : null,
  };
};

/** Leaves out intervals that begin before the range, end after it, or are not over. */
const completed = (
  { from, to }: Pick<DateRange, 'from' | 'to'>,
  interval: Interval,
  now: Date,
  calendar: Calendar,
): DateRange => {
  const after = new Date(Math.min(to.getTime() + 1, now.getTime()));
  const last = new Date(startOf(interval, after, calendar).getTime() - 1);
  const isStart = from === null || startOf(interval, from, calendar).getTime() === from.getTime();
  const first = isStart ? from : startOfNext(interval, from, calendar);
  if (first !== null && first > last)
    throw invalidInput('exclude_incomplete_periods leaves no interval of the range', 'exclude_incomplete_periods');
  return { from: first, to: last, isCounted: false, shortMs: null };
};

const counted = /^-?\d+[dwmqy]$/;
const short = /^-?(\d+)([hMs])$/;
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, M: 60_000, s: 1000 };

/** The length is rounded up to whole points of the axis, because the axis begins with a whole point, too. */
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
