const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Exact: 12,345 or 1.25. */
export const formatNumber = (value: number): string => (Number.isInteger(value) ? whole : decimal).format(value);

/** The words for one of something and for several: "person", "persons". */
export type Noun = readonly [one: string, many: string];

/** A number with its noun: "1 person", "12,345 persons". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** For axes and badges: 12.3K. */
export const formatShort = (value: number): string => short.format(value);

/** A share of 1 as a percentage, with enough digits to tell 0.04% from nothing. */
export const formatShare = (share: number): string => {
  const percent = share * 100;
  const digits = percent === 0 || percent === 100 || percent >= 10 ? 1 : 2;
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: digits }).format(percent)}%`;
};

/** A change as a share of what was before: +12.5%, −3%. */
export const formatChange = (share: number): string =>
  share === 0 ? '0%' : `${share > 0 ? '+' : '−'}${formatShare(Math.abs(share))}`;

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Seconds as the two largest units: 1 d 4 h, 3 min 20 s, 0.4 s. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 1) return `${decimal.format(seconds)} s`;
  const first = units.findIndex(([, size]) => seconds >= size);
  const parts: string[] = [];
  let rest = Math.round(seconds);
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return parts.join(' ');
};

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes much longer than using it, and tables use one in every row. */
const timeFormat = (timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${timeZone} ${Object.entries(options).join(' ')}`;
  const known = timeFormats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    ...options,
  });
  timeFormats.set(key, format);
  return format;
};

/** A moment in the project's time zone. */
export const formatTime = (moment: string | Date, timeZone: string, options: Intl.DateTimeFormatOptions = {}): string =>
  timeFormat(timeZone, options).format(typeof moment === 'string' ? new Date(moment) : moment);

export const formatDay = (moment: string | Date, timeZone: string): string =>
  formatTime(moment, timeZone, { hour: undefined, minute: undefined });

/** The date as the project's clocks show it: `2026-11-30`. */
export const todayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** "5 min ago", with the unit that keeps the number small. */
export const formatAgo = (moment: string | Date, now = Date.now()): string => {
  const seconds = ((typeof moment === 'string' ? new Date(moment) : moment).getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 60) return relative.format(Math.round(seconds), 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
};

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in the unit that keeps the number small: 3.7 MB. */
export const formatBytes = (bytes: number): string => {
  const at = Math.min(sizes.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** at;
  return `${(size >= 100 ? whole : oneDigit).format(size)} ${sizes[at]}`;
};
