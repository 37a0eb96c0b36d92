import { DateTime, Info, type Zone } from 'luxon';
import { invalidInput } from '../errors/problem.js';

export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;

export type Interval = (typeof intervals)[number];

/** Determines where days, weeks and months begin. */
export interface Calendar {
  readonly timezone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
}

export const inZone = (at: Date, calendar: Calendar): DateTime => DateTime.fromJSDate(at, { zone: zoneOf(calendar) });

/**
 * The first moment of a day. If clocks go back through midnight, so that it occurs twice, the first occurrence counts.
 */
export const startOfDay = (local: DateTime): DateTime => {
  const start = local.startOf('day');
  const before = start.minus(1);
  return before.day === start.day ? before.startOf('day') : start;
};

/**
 * The last millisecond of a day. It is computed through noon, because a day may begin at 01:00, and the next one at
 * midnight again.
 */
export const endOfDay = (local: DateTime): DateTime => startOfDay(local.set({ hour: 12 }).plus({ days: 1 })).minus(1);

const dayMs = 86_400_000;

const zones = new Map<string, Zone>();

/** The zone of a calendar. All zones are kept, because a platform has only some hundreds. */
export const zoneOf = ({ timezone }: Calendar): Zone => {
  const zone = zones.get(timezone) ?? Info.normalizeZone(timezone);
  // The zone may have been set on another platform, which knows more zones than this one.
  if (!zone.isValid) {
    throw invalidInput(
      'timezone of the project must be an IANA time zone such as Europe/Berlin: change it',
      'timezone',
    );
  }
  zones.set(timezone, zone);
  return zone;
};

/** Rounds to milliseconds, because offsets of the time before zones have seconds: each town had clocks of its own. */
const offsetMs = (at: number, zone: Zone): number => Math.round(offsetOf(at, zone) * 60_000);

const remembered = new Map<string, Map<number, number>>();
const maxRememberedDays = 100_000;

/**
 * The offset of a zone. It is looked up once for each day, because a look-up takes about 20 µs, and an axis has thousands of
 * points. A day that begins and ends with the same offset has it throughout, because no zone changes its clocks twice within a
 * day.
 */
export const offsetOf = (at: number, zone: Zone): number => {
  if (zone.isUniversal) return zone.offset(at);
  const day = Math.floor(at / dayMs);
  const offset = offsetAtStart(day, zone);
  return offset === offsetAtStart(day + 1, zone) ? offset : zone.offset(at);
};

/** The offset at the beginning of a day of UTC. */
const offsetAtStart = (day: number, zone: Zone): number => {
  const days = remembered.get(zone.name) ?? new Map<number, number>();
  const known = days.get(day);
  if (known !== undefined) return known;
  const offset = zone.offset(day * dayMs);
  if (days.size >= maxRememberedDays) days.clear();
  remembered.set(zone.name, days.set(day, offset));
  return offset;
};

/** The moment as local clocks show it, read as UTC, so that days and months are plain arithmetic. */
const clocksOf = (at: number, zone: Zone): number => at + offsetMs(at, zone);

/**
 * The moment at which clocks show `clocks`, if they have the offset of `near`. Null if clocks change between the two moments or
 * at the result: then the calendar library must resolve it.
 */
const whenClocksSay = (clocks: number, near: number, zone: Zone): Date | null => {
  const at = clocks - offsetMs(near, zone);
  return isSameOffset(at, near, zone) && isSameOffset(at - 1, near, zone) ? new Date(at) : null;
};

/** The beginning of the interval around a moment, by the clocks of the zone. */
export const startOf = (interval: Interval, at: Date, calendar: Calendar): Date => {
  const zone = zoneOf(calendar);
  if (interval === 'minute' || interval === 'hour') return clockStart(interval, at, zone);
  const start = firstDay(interval, clocksOf(at.getTime(), zone), calendar);
  return (
    whenClocksSay(start, at.getTime(), zone) ??
    startOfDay(dayInside(interval, inZone(at, calendar), calendar)).toJSDate()
  );
};

/** The midnight at which the interval around `clocks` begins. Parameter and result are clock times read as UTC. */
const firstDay = (interval: 'day' | 'week' | 'month', clocks: number, { weekStartDay }: Calendar): number => {
  const midnight = Math.floor(clocks / dayMs) * dayMs;
  const day = new Date(midnight);
  if (interval === 'month') return midnight - (day.getUTCDate() - 1) * dayMs;
  return interval === 'day' ? midnight : midnight - ((day.getUTCDay() - weekStartDay + 7) % 7) * dayMs;
};

/** A moment within the first day of the interval. */
const dayInside = (interval: 'day' | 'week' | 'month', local: DateTime, { weekStartDay }: Calendar): DateTime => {
  if (interval === 'day') return local;
  const noon = local.set({ hour: 12 });
  return interval === 'month' ? noon.set({ day: 1 }) : noon.minus({ days: (local.weekday - weekStartDay + 7) % 7 });
};

const lengthMs = { minute: 60_000, hour: 3_600_000 } as const;

/** Uses the offset at the given moment: for a repeated hour, luxon's `startOf` could return the start of its first occurrence. */
const clockStart = (interval: 'minute' | 'hour', at: Date, zone: Zone): Date => {
  const length = lengthMs[interval];
  const clocks = clocksOf(at.getTime(), zone);
  const start = at.getTime() - (clocks - Math.floor(clocks / length) * length);
  return new Date(isSameOffset(start, at.getTime(), zone) ? start : changeOfClocks(start, at.getTime(), zone));
};

const isSameOffset = (a: number, b: number, zone: Zone): boolean => offsetOf(a, zone) === offsetOf(b, zone);

/** The first moment with the new offset, between two moments with different offsets. */
const changeOfClocks = (before: number, after: number, zone: Zone): number => {
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSameOffset(middle, before, zone)) low = middle;
    else high = middle;
  }
  return high;
};

/** The beginning of the next interval. A change of clocks inside an hour ends that hour. */
export const startOfNext = (interval: Interval, at: Date, calendar: Calendar): Date => {
  const zone = zoneOf(calendar);
  if (interval === 'minute' || interval === 'hour') return nextClockStart(interval, at, zone);
  const next = nextFirstDay(interval, firstDay(interval, clocksOf(at.getTime(), zone), calendar));
  return whenClocksSay(next, at.getTime(), zone) ?? startOfNextDay(interval, at, calendar);
};

const nextFirstDay = (interval: 'day' | 'week' | 'month', midnight: number): number => {
  if (interval !== 'month') return midnight + (interval === 'week' ? 7 : 1) * dayMs;
  const day = new Date(midnight);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1);
};

const startOfNextDay = (interval: 'day' | 'week' | 'month', at: Date, calendar: Calendar): Date => {
  const local = inZone(startOf(interval, at, calendar), calendar);
  const next = local
    .set({ hour: 12 })
    .plus(interval === 'month' ? { months: 1 } : { days: interval === 'week' ? 7 : 1 });
  return startOfDay(next).toJSDate();
};

const nextClockStart = (interval: 'minute' | 'hour', at: Date, zone: Zone): Date => {
  const length = lengthMs[interval];
  const clocks = clocksOf(at.getTime(), zone);
  const next = at.getTime() + (Math.floor(clocks / length) + 1) * length - clocks;
  return new Date(isSameOffset(next - 1, at.getTime(), zone) ? next : changeOfClocks(at.getTime(), next - 1, zone));
};

/** The last date that was formatted: most points of an axis have the date of the point before. */
let lastDate = { day: NaN, text: '' };

const dateOf = (clocks: number): string => {
  const day = Math.floor(clocks / dayMs);
  if (day !== lastDate.day) lastDate = { day, text: new Date(clocks).toISOString().slice(0, -'THH:mm:ss.SSSZ'.length) };
  return lastDate.text;
};

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** True if clocks that are put back show the hour or minute of a point twice. */
const isShownTwice = (interval: 'minute' | 'hour', start: number, zone: Zone): boolean => {
  const [before, after] = [offsetMs(start - dayMs, zone), offsetMs(start + dayMs, zone)];
  if (before <= after) return false;
  const clocks = clocksOf(start, zone);
  const shown = clocks - (((clocks % lengthMs[interval]) + lengthMs[interval]) % lengthMs[interval]);
  const other = offsetMs(start, zone) === before ? after : before;
  return [shown, shown + lengthMs[interval] - 1].some((clock) => offsetMs(clock - other, zone) === other);
};

const offsetText = (offset: number): string => {
  const minutes = Math.round(Math.abs(offset) / lengthMs.minute);
  return `${offset < 0 ? '-' : '+'}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`;
};

/**
 * `2024-03-01` for days and longer, `2024-03-01 14:00:00` for hours and minutes, by the clocks of the zone. If clocks show the
 * time of a point twice, the label is its first moment with the offset: `2026-10-25 02:00:00+02:00`.
 */
export const pointLabel = (interval: Interval, start: Date, calendar: Calendar): string => {
  const zone = zoneOf(calendar);
  const clocks = clocksOf(start.getTime(), zone);
  const date = dateOf(clocks);
  if (interval !== 'minute' && interval !== 'hour') return date;
  const minutes = Math.floor(clocks / lengthMs.minute) - Math.floor(clocks / dayMs) * 1440;
  const isTwice = isShownTwice(interval, start.getTime(), zone);
  const minute = interval === 'minute' || isTwice ? twoDigits[minutes % 60] : '00';
  const time = `${date} ${twoDigits[Math.floor(minutes / 60)]}:${minute}:00`;
  return isTwice ? `${time}${offsetText(offsetMs(start.getTime(), zone))}` : time;
};
