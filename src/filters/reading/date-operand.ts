import { DateTime } from 'luxon';

/** A date in the precision of its text: from its first instant until the first instant after it. */
export interface DateSpan {
  readonly from: Date;
  readonly until: Date;
}

const absolute = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?: ?(Z|[+-]\d{2}:?\d{2}))?)?$/;
const relative = /^-?(\d{1,4})([hdwmy])$/;

const units = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;
const [hour, day, minute, second] = [3_600_000, 86_400_000, 60_000, 1000];

const spanning = (ms: number, span: number): DateSpan => ({ from: new Date(ms), until: new Date(ms + span) });

/** Reads an ISO 8601 date; without a zone the date is in UTC. */
export const absoluteDate = (text: string): DateSpan | null => {
  const [, date, time, seconds, fraction, zone] = absolute.exec(text) ?? [];
  if (date === undefined || time?.startsWith('24')) return null;
  const millis = (fraction ?? '').padEnd(3, '0').slice(0, 3);
  const at = DateTime.fromISO(`${date}T${time ?? '00:00'}:${seconds ?? '00'}.${millis}${zone ?? 'Z'}`);
  if (!at.isValid) return null;
  return spanning(at.toMillis(), spanOf(time, seconds, fraction));
};

const spanOf = (...[time, seconds, fraction]: readonly (string | undefined)[]): number => {
  if (time === undefined) return day;
  if (seconds === undefined) return minute;
  return fraction === undefined ? second : 10 ** Math.max(0, 3 - fraction.length);
};

/** Relative dates are always in the past: `-7d` and `7d` mean the same. */
export const isRelativeDate = (text: string): boolean => relative.test(text);

/** A relative date as an instant: `7d` is the current time, seven days ago. */
const relativeInstant = (text: string, now: Date): DateTime | null => {
  const [, count, unit] = relative.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  return DateTime.fromJSDate(now, { zone: 'utc' }).minus({ [units[unit as keyof typeof units]]: Number(count) });
};

export const relativeDate = (text: string, now: Date): DateSpan | null => {
  const at = relativeInstant(text, now);
  return at && spanning(at.toMillis(), 0);
};

/** The day that contains a relative date, or the hour if the date counts hours: "exactly seven days ago" is a whole day. */
export const relativePeriod = (text: string, now: Date): DateSpan | null => {
  const at = relativeInstant(text, now);
  if (!at) return null;
  const inHours = text.endsWith('h');
  return spanning(at.startOf(inHours ? 'hour' : 'day').toMillis(), inHours ? hour : day);
};
