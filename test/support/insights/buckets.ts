import { DateTime } from 'luxon';

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';

export interface Clock {
  readonly zone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
}

const minuteMs = 60_000;

/** The clock face without what is smaller: two moments of one hour show the same, by the same offset. */
const face = (interval: 'minute' | 'hour', at: number, { zone }: Clock): string =>
  DateTime.fromMillis(at, { zone }).toFormat(interval === 'hour' ? 'yyyy-MM-dd HH ZZ' : 'yyyy-MM-dd HH:mm ZZ');

/** Minute by minute to the first one that shows another face. Clocks change at full minutes only. */
const edgeOf = (interval: 'minute' | 'hour', at: number, step: number, clock: Clock): number => {
  const mine = face(interval, at, clock);
  let edge = Math.floor(at / minuteMs) * minuteMs;
  while (face(interval, edge + step, clock) === mine) edge += step;
  return edge;
};

/** The first moment with the date of another one: midnight is left out where clocks jump over it, and comes twice where they go back. */
const dayOf = (local: DateTime): DateTime => {
  const isSameDay = (at: DateTime) => at.toISODate() === local.toISODate();
  let start = local.startOf('day');
  while (isSameDay(start.minus({ minutes: 15 }))) start = start.minus({ minutes: 15 });
  return start;
};

const isFine = (interval: Interval): interval is 'minute' | 'hour' => interval === 'minute' || interval === 'hour';

/**
 * The instant at which the minute, hour, day, week or month of a moment begins by the clocks of the zone. A change of clocks inside an
 * hour ends that hour.
 */
export const startOf = (interval: Interval, moment: Date, clock: Clock): Date => {
  if (isFine(interval)) return new Date(edgeOf(interval, moment.getTime(), -minuteMs, clock));
  const local = DateTime.fromJSDate(moment, { zone: clock.zone });
  const noon = local.set({ hour: 12 });
  const daysIn = { day: 0, week: (local.weekday - clock.weekStartDay + 7) % 7, month: local.day - 1 }[interval];
  return dayOf(noon.minus({ days: daysIn })).toJSDate();
};

/** The start of the next one. */
export const following = (interval: Interval, start: Date, clock: Clock): Date => {
  if (isFine(interval)) return new Date(edgeOf(interval, start.getTime(), minuteMs, clock) + minuteMs);
  const next = DateTime.fromJSDate(start, { zone: clock.zone })
    .set({ hour: 12 })
    .plus({ [interval]: 1 });
  return startOf(interval, next.toJSDate(), clock);
};

/** All that touch the range, both ends included. */
export const bucketsOf = (interval: Interval, from: Date, to: Date, clock: Clock): readonly Date[] => {
  const starts: Date[] = [];
  for (let start = startOf(interval, from, clock); start <= to; start = following(interval, start, clock))
    starts.push(start);
  return starts;
};

const formats: Partial<Record<Interval, string>> = { minute: 'yyyy-MM-dd HH:mm:00', hour: 'yyyy-MM-dd HH:00:00' };

/** True if another point, up to three hours away, shows the same time. */
const isShownTwice = (interval: 'minute' | 'hour', start: Date, clock: Clock): boolean => {
  const local = DateTime.fromJSDate(start, { zone: clock.zone });
  if (local.minus({ days: 1 }).offset === local.plus({ days: 1 }).offset) return false;
  const text = formats[interval] ?? '';
  return Array.from({ length: 361 }, (_, minute) => local.plus({ minutes: minute - 180 })).some(
    (at) =>
      at.toFormat(text) === local.toFormat(text) &&
      startOf(interval, at.toJSDate(), clock).getTime() !== start.getTime(),
  );
};

/**
 * As the contract writes a point: the day it begins, for hours and minutes the local time too. A time that clocks show twice has its
 * offset.
 */
export const labelOf = (interval: Interval, start: Date, clock: Clock): string => {
  const local = DateTime.fromJSDate(start, { zone: clock.zone });
  return isFine(interval) && isShownTwice(interval, start, clock)
    ? local.toFormat('yyyy-MM-dd HH:mm:ssZZ')
    : local.toFormat(formats[interval] ?? 'yyyy-MM-dd');
};
