export interface DateRange {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

export const presets: readonly (readonly [string, DateRange])[] = [
  ['Today', { date_from: 'dStart' }],
  ['Yesterday', { date_from: '-1dStart', date_to: '-1dEnd' }],
  ['Last 24 hours', { date_from: '-24h' }],
  ['Last 7 days', { date_from: '-7d' }],
  ['Last 14 days', { date_from: '-14d' }],
  ['Last 30 days', { date_from: '-30d' }],
  ['Last 90 days', { date_from: '-90d' }],
  ['This week', { date_from: 'wStart' }],
  ['Last week', { date_from: '-1wStart', date_to: '-1wEnd' }],
  ['This month', { date_from: 'mStart' }],
  ['Last month', { date_from: '-1mStart', date_to: '-1mEnd' }],
  ['This year', { date_from: 'yStart' }],
  ['All time', { date_from: 'all' }],
];

/** A day as `2026-11-30`. */
export const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });

const textOf = (moment: string): string => (isDay(moment) ? format.format(new Date(moment)) : moment);

const counted = (date_from: string | undefined): string | undefined => {
  const [, count, unit] = /^-(\d+)([hdwm])$/.exec(date_from ?? '') ?? [];
  const name = unit && { h: 'hour', d: 'day', w: 'week', m: 'month' }[unit];
  return name && `Last ${count} ${name}${count === '1' ? '' : 's'}`;
};

export const presetOf = (range: DateRange): string | undefined =>
  presets.find(([, { date_from, date_to }]) => range.date_from === date_from && range.date_to === date_to)?.[0];

export const labelOf = (range: DateRange, fallback: string): string => {
  const { date_from, date_to } = range;
  if (date_from === undefined && date_to === undefined) return fallback;
  const name = presetOf(range) ?? (date_to === undefined ? counted(date_from) : undefined);
  if (name !== undefined) return name;
  return `${date_from === undefined ? '…' : textOf(date_from)} – ${date_to === undefined ? 'now' : textOf(date_to)}`;
};
