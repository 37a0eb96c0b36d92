import { clockOf, hourMark } from './repeated-hours';

const partsOf = (day: string): Date =>
  new Date(`${clockOf(day).replace(' ', 'T')}${day.includes(' ') ? '' : 'T00:00:00'}Z`);

const written = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  // The points are already in the project's zone, so that they are written as they are.
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (day) => format.format(partsOf(day));
};

const month = written({ month: 'short', year: 'numeric' });
const date = written({ day: 'numeric', month: 'short' });
const dateWithYear = written({ day: 'numeric', month: 'short', year: 'numeric' });
const weekday = written({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const time = written({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const timeWithYear = written({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });

const isTime = (day: string): boolean => day.includes(' ');

/** Short labels of the points of an axis; they have the year where the axis has more than one. */
export const dayLabels = (days: readonly string[], interval: string): string[] => {
  const hasYears = new Set(days.map((day) => day.slice(0, 4))).size > 1;
  return days.map((day) => {
    if (interval === 'month') return month(day);
    if (!isTime(day)) return (hasYears ? dateWithYear : date)(day);
    return `${(hasYears ? timeWithYear : time)(day)}${hourMark(day)}`;
  });
};

/** A point in full, for titles. */
export const dayText = (day: string, interval: string): string => {
  if (interval === 'month') return month(day);
  if (isTime(day)) return `${timeWithYear(day)}${hourMark(day)}`;
  return interval === 'week' ? `week of ${dateWithYear(day)}` : weekday(day);
};

/**
 * The index of the point that is not over yet, or -1: its number still grows, which a fall at the end of a line does not say.
 * The moment of the answer is compared as the points are written, in the project's zone.
 */
export const unfinishedAt = (
  days: readonly string[],
  { as_of, date_to, timezone }: { readonly as_of: string; readonly date_to?: string; readonly timezone: string },
): number => {
  if (date_to === undefined || date_to <= as_of) return -1;
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(as_of),
  );
  // A point with an offset is a moment of its own; the clocks alone would show it twice.
  return days.findLastIndex((day) =>
    clockOf(day) === day ? day <= now : new Date(day.replace(' ', 'T')) <= new Date(as_of),
  );
};

/** Labels of the points, of which the one that is not over is marked. */
export const axisLabels = (
  days: readonly string[],
  insight: Parameters<typeof unfinishedAt>[1] & { readonly interval: string },
): string[] => {
  const unfinished = unfinishedAt(days, insight);
  return dayLabels(days, insight.interval).map((label, at) => (at === unfinished ? `${label}, so far` : label));
};
