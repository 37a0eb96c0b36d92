export interface DateRange {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

export const presets: readonly (readonly [string, DateRange])[] = [
  ['Last 24 hours', { date_from: '-24h' }],
  ['Today', { date_from: 'dStart' }],
  ['Last 7 days', { date_from: '-7d' }],
  ['Last 14 days', { date_from: '-14d' }],
  ['Last 30 days', { date_from: '-30d' }],
  ['Last 90 days', { date_from: '-90d' }],
  ['This month', { date_from: 'mStart' }],
  ['Previous month', { date_from: '-1mStart', date_to: '-1mEnd' }],
  ['This year', { date_from: 'yStart' }],
  ['All time', { date_from: 'all' }],
];

export const labelOf = ({ date_from, date_to }: DateRange, fallback: string): string => {
  if (date_from === undefined && date_to === undefined) return fallback;
  const preset = presets.find(([, range]) => range.date_from === date_from && range.date_to === date_to);
  return preset?.[0] ?? `${date_from ?? '…'} to ${date_to ?? 'now'}`;
};
