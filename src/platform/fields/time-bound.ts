import { DateTime } from 'luxon';
import { field, once } from './field.js';
import { isStorable, requireDate, storable } from '../time/dates.js';
import { type Calendar } from '../time/intervals.js';

/** Declares `after` or `before` of a list, which `timeBound` reads. */
export const timeBoundField = (description: string, example: string) =>
  field.text({
    says: once,
    description: `${description} ISO date, in the project’s time zone when it names none, or relative such as \`-7d\`, \`-24h\`.`,
    example,
  });

/** Returns null without a bound. A year that no event can have is allowed: the bound then excludes all events, or none. */
export const timeBound = (
  text: string | undefined,
  attr: 'after' | 'before',
  now: Date,
  calendar: Calendar,
): Date | null => {
  if (text === undefined) return null;
  const distant = DateTime.fromISO(text, { zone: 'utc' });
  if (distant.isValid && !isStorable(distant.toMillis())) return storable(distant.toJSDate());
  return requireDate(text, attr, now, calendar).at.toJSDate();
};
