const partsOf = (day: string): Date => new Date(`${day.replace(' ', 'T')}${day.includes(' ') ? '' : 'T00:00:00'}Z`);

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

/** Short labels of the points of an axis; the year stands where the axis has more than one. */
export const dayLabels = (days: readonly string[], interval: string): string[] => {
  const hasYears = new Set(days.map((day) => day.slice(0, 4))).size > 1;
  return days.map((day) => {
    if (interval === 'month') return month(day);
    if (isTime(day)) return (hasYears ? timeWithYear : time)(day);
    return (hasYears ? dateWithYear : date)(day);
  });
};

/** A point in full, for titles. */
export const dayText = (day: string, interval: string): string => {
  if (interval === 'month') return month(day);
  if (isTime(day)) return timeWithYear(day);
  return interval === 'week' ? `week of ${dateWithYear(day)}` : weekday(day);
};
