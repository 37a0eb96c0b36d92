import { DateTime, type DateTimeUnit } from 'luxon';
import { invalidInput } from '../errors/problem.js';
import { type Calendar, inZone, startOfDay, zoneOf } from './intervals.js';

/**
 * ClickHouse's DateTime64(3) stores the years 1900 to 2299. PostgreSQL stores more, so a moment is clamped to these years
 * wherever it may reach ClickHouse.
 */
export const earliestStorable = new Date(Date.UTC(1900, 0, 1));
export const latestStorable = new Date(Date.UTC(2300, 0, 1) - 1);

const [earliestMs, latestMs] = [earliestStorable.getTime(), latestStorable.getTime()];

/** Takes milliseconds since 1970; false for NaN. */
export const isStorable = (ms: number): boolean => ms >= earliestMs && ms <= latestMs;

/** The nearest moment that can be stored. It can replace a bound beyond these years, because no event is outside of them. */
export const storable = (moment: Date): Date => new Date(storableMs(moment.getTime()));

export const storableMs = (ms: number): number => Math.min(latestMs, Math.max(earliestMs, ms));

const units = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
} as const;

type Unit = keyof typeof units;

/** A moment as a text expressed it, with its precision. */
export interface ParsedDate {
  readonly at: DateTime;
  /** `day` means the whole day around the moment. */
  readonly precision: 'day' | 'instant';
  /** Relative to now, in hours or smaller units. */
  readonly isShort: boolean;
}

const relative = /^(-?)(\d{1,4})?([sMhdwmqy])(Start|End)?$/;

/**
 * Parses an ISO date, with or without time and zone (the project's when it names none), or a date relative to now: `-7d`,
 * `-24h`, `dStart`, `-1mStart`, `-1mEnd`. Returns null for any other text.
 */
export const readDate = (text: string, now: Date, calendar: Calendar): ParsedDate | null => {
  const trimmed = text.trim();
  if (trimmed === 'now') return { at: inZone(now, calendar), precision: 'instant', isShort: false };
  const match = relative.exec(trimmed);
  if (match) return relativeDate(match, inZone(now, calendar), calendar);
  return absoluteDate(trimmed, calendar);
};

const relativeDate = (
  [, , count = '0', letter, edge]: RegExpExecArray,
  now: DateTime,
  { weekStartDay }: Calendar,
): ParsedDate => {
  const unit = units[letter as Unit];
  const number = Number(count);
  // A quarter counts as 13 weeks.
  const moved = unit === 'quarter' ? now.minus({ weeks: 13 * number }) : now.minus({ [`${unit}s`]: number });
  const isShort = unit === 'second' || unit === 'minute' || unit === 'hour';
  if (edge === undefined) return { at: moved, precision: isShort ? 'instant' : 'day', isShort };
  const start = startOfUnit(moved, unit, weekStartDay);
  if (edge === 'Start') return { at: start, precision: isShort ? 'instant' : 'day', isShort };
  const next = start.plus({ [`${unit}s`]: 1 });
  return { at: (isShort ? next : startOfDay(next)).minus(1), precision: 'instant', isShort };
};

const startOfUnit = (at: DateTime, unit: DateTimeUnit, weekStartDay: number): DateTime => {
  if (unit === 'second' || unit === 'minute' || unit === 'hour') return at.startOf(unit);
  return startOfDay(unit === 'week' ? at.minus({ days: (at.weekday - weekStartDay + 7) % 7 }) : at.startOf(unit));
};

const dayShape = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

const absoluteDate = (trimmed: string, calendar: Calendar): ParsedDate | null => {
  // A time without a date is ISO 8601, too, but is refused: it would mean today.
  if (!/^[+-]?\d{4}/.test(trimmed)) return null;
  const zone = zoneOf(calendar);
  const day = dayShape.exec(trimmed);
  const text = day ? `${day[1]}-${day[2]?.padStart(2, '0')}-${day[3]?.padStart(2, '0')}` : trimmed.replace(' ', 'T');
  const at = DateTime.fromISO(text, { zone });
  if (!at.isValid || !isStorable(at.toMillis())) return null;
  return { at: at.setZone(zone), precision: day ? 'day' : 'instant', isShort: false };
};

export const requireDate = (text: string, attr: string, now: Date, calendar: Calendar): ParsedDate => {
  const date = readDate(text, now, calendar);
  if (date === null) {
    throw invalidInput(
      `${attr} must be an ISO date that exists, such as 2024-03-01 or 2024-03-01T10:00:00Z, or relative such as -7d, -24h, mStart`,
      attr,
    );
  }
  return date;
};
