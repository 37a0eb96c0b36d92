import { DateTime } from 'luxon';

export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;

export type Interval = (typeof intervals)[number];

/** What decides where days, weeks and months begin. */
export interface Calendar {
  readonly timezone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
}

export const inZone = (at: Date, { timezone }: Calendar): DateTime => DateTime.fromJSDate(at, { zone: timezone });

/** The first moment of a day: where clocks go back through midnight, which then comes twice, the first of the two. */
export const startOfDay = (local: DateTime): DateTime => {
  const start = local.startOf('day');
  const before = start.minus(1);
  return before.day === start.day ? before.startOf('day') : start;
};

/** The last millisecond of a day. Through noon: a day may begin at 01:00, and the next one at midnight again. */
export const endOfDay = (local: DateTime): DateTime => startOfDay(local.set({ hour: 12 }).plus({ days: 1 })).minus(1);

/** The beginning of the interval around a moment, by the clocks of the zone. */
export const startOf = (interval: Interval, at: Date, calendar: Calendar): Date => {
  const local = inZone(at, calendar);
  if (interval === 'minute' || interval === 'hour') return clockStart(interval, at, local);
  return startOfDay(dayInside(interval, local, calendar)).toJSDate();
};

/** Some moment of the day that the interval begins with. */
const dayInside = (interval: 'day' | 'week' | 'month', local: DateTime, { weekStartDay }: Calendar): DateTime => {
  if (interval === 'day') return local;
  const noon = local.set({ hour: 12 });
  return interval === 'month' ? noon.set({ day: 1 }) : noon.minus({ days: (local.weekday - weekStartDay + 7) % 7 });
};

const lengthMs = { minute: 60_000, hour: 3_600_000 } as const;

/** By the offset in force at that moment: `startOf` of a repeated hour could land in its first copy. */
const clockStart = (interval: 'minute' | 'hour', at: Date, local: DateTime): Date => {
  const offsetMs = local.offset * 60_000;
  const length = lengthMs[interval];
  const start = Math.floor((at.getTime() + offsetMs) / length) * length - offsetMs;
  return new Date(isSameOffset(start, at.getTime(), local) ? start : changeOfClocks(start, at.getTime(), local));
};

const offsetAt = (ms: number, { zone }: DateTime): number => zone.offset(ms);

const isSameOffset = (a: number, b: number, local: DateTime): boolean => offsetAt(a, local) === offsetAt(b, local);

/** The first moment of the new offset between two moments of different offsets. */
const changeOfClocks = (before: number, after: number, local: DateTime): number => {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSameOffset(middle, before, local)) low = middle;
    else high = middle;
  }
  return high;
};

/** The beginning of the next interval. A change of clocks inside an hour ends that hour. */
export const startOfNext = (interval: Interval, at: Date, calendar: Calendar): Date => {
  if (interval === 'minute' || interval === 'hour') return nextClockStart(interval, at, calendar);
  const local = inZone(startOf(interval, at, calendar), calendar);
  const next = local
    .set({ hour: 12 })
    .plus(interval === 'month' ? { months: 1 } : { days: interval === 'week' ? 7 : 1 });
  return startOfDay(next).toJSDate();
};

const nextClockStart = (interval: 'minute' | 'hour', at: Date, calendar: Calendar): Date => {
  const local = inZone(at, calendar);
  const offsetMs = local.offset * 60_000;
  const length = lengthMs[interval];
  const next = (Math.floor((at.getTime() + offsetMs) / length) + 1) * length - offsetMs;
  return new Date(isSameOffset(next - 1, at.getTime(), local) ? next : changeOfClocks(at.getTime(), next - 1, local));
};

const formats = { minute: 'yyyy-MM-dd HH:mm:00', hour: 'yyyy-MM-dd HH:00:00' } as const;

/** `2024-03-01` for days and longer, `2024-03-01 14:00:00` for hours and minutes, by the clocks of the zone. */
export const pointLabel = (interval: Interval, start: Date, calendar: Calendar): string =>
  inZone(start, calendar).toFormat(interval === 'minute' || interval === 'hour' ? formats[interval] : 'yyyy-MM-dd');
