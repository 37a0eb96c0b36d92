import { type DateTime } from 'luxon';
import { inZone, startOfDay, type Calendar } from '../../platform/time/intervals.js';
import { type DateRange, type TimeRange } from '../../platform/time/range.js';

/**
 * The range to compare with: of the same length, and directly before. `-24h` is moved by 24 hours. A range of whole days,
 * or one that begins with a day, is moved by whole days and ends at the same time of day, also where clocks change. Any
 * other range is moved by its own length.
 */
export const previousRange = (range: TimeRange, calendar: Calendar, { isCounted, shortMs }: DateRange): TimeRange => {
  if (shortMs !== null) return movedBy(shortMs, range);
  const [start, end] = [inZone(range.from, calendar), inZone(range.to, calendar).plus(1)];
  const days = end.diff(start, 'days').days;
  if (isCounted) return movedByDays(Math.max(1, Math.floor(days - oneMs)), start, end);
  if (isStartOfDay(start)) return movedByDays(Math.max(1, Math.ceil(days)), start, end);
  return Number.isInteger(days) && days > 0
    ? movedByDays(days, start, end)
    : movedBy(range.to.getTime() - range.from.getTime() + 1, range);
};

/** A millisecond in days: `-7d` until the end of today is counted as seven days, although it has eight. */
const oneMs = 1 / 86_400_000;

const movedBy = (ms: number, { from, to }: TimeRange): TimeRange => ({
  from: new Date(from.getTime() - ms),
  to: new Date(to.getTime() - ms),
});

/** `end` is the first moment after the range. */
const movedByDays = (days: number, start: DateTime, end: DateTime): TimeRange => ({
  from: daysBefore(start, days).toJSDate(),
  to: lastMoment(days, end).toJSDate(),
});

/**
 * Moves the end, which exists where the hour before it is skipped; but the last moment where clocks change at the end, so
 * that an end in a repeated hour does not become one in the hour before.
 */
const lastMoment = (days: number, end: DateTime): DateTime => {
  const last = end.minus(1);
  return isStartOfDay(end) || last.offset === end.offset ? daysBefore(end, days).minus(1) : last.minus({ days });
};

const daysBefore = (at: DateTime, days: number): DateTime =>
  isStartOfDay(at) ? startOfDay(at.set({ hour: 12 }).minus({ days })) : at.minus({ days });

const isStartOfDay = (at: DateTime): boolean => +at === +startOfDay(at);
