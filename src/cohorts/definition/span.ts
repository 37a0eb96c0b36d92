import { type DateTime } from 'luxon';
import { inZone, startOfDay, type Calendar } from '../../platform/time/intervals.js';

export const spanUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export type SpanUnit = (typeof spanUnits)[number];

/** A length of time in the calendar, where months differ in length. */
export interface CalendarSpan {
  readonly count: number;
  readonly unit: SpanUnit;
}

const back = (from: DateTime, { count, unit }: CalendarSpan, times = 1): DateTime =>
  from.minus({ [`${unit}s`]: count * times });

/** Returns the start of a window of this length that ends now. In days and longer units, it starts at midnight. */
export const startOfSpan = (span: CalendarSpan, now: Date, calendar: Calendar): Date => {
  const start = back(inZone(now, calendar), span);
  return (span.unit === 'minute' || span.unit === 'hour' ? start : startOfDay(start)).toJSDate();
};

/**
 * Returns the boundaries of the periods, counted back from now: each period starts where the previous one ends, and the last ends
 * now.
 */
export const periodsBack = (span: CalendarSpan, periods: number, now: Date, calendar: Calendar): Date[] => {
  const { count, unit } = span;
  if (unit === 'minute' || unit === 'hour') {
    const length = count * secondsIn[unit] * 1000;
    return Array.from({ length: periods + 1 }, (_, at) => new Date(now.getTime() - (periods - at) * length));
  }
  const last = inZone(now, calendar);
  return Array.from({ length: periods + 1 }, (_, at) => back(last, span, periods - at).toJSDate());
};

const secondsIn: Readonly<Record<SpanUnit, number>> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/** Returns a fixed length, for the time between two events. */
export const secondsOf = ({ count, unit }: CalendarSpan): number => count * secondsIn[unit];
