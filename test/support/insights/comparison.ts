import { DateTime } from 'luxon';
import { bucketsOf, following, startOf, type Clock } from './buckets.js';
import { type Range, type WrittenRange } from './ranges.js';

interface Comparison {
  readonly range: WrittenRange;
  readonly compare: boolean;
  /** So far back is the other range; null: directly before. */
  readonly compareTo: string | null;
}

/** The range to compare with; null without a comparison. */
export const comparedWith = (q: Comparison, range: Range, clock: Clock): Range | null => {
  if (!q.compare) return null;
  return q.compareTo === null ? rangeBefore(range, q.range, clock) : rangeFarBefore(range, q.compareTo, clock);
};

const unitsBack: Readonly<Record<string, object>> = {
  d: { days: 1 },
  w: { days: 7 },
  m: { months: 1 },
  q: { days: 91 },
  y: { years: 2 },
};

/** Midnights stay midnights, and ends of days ends of days. */
const rangeFarBefore = ({ from, to }: Range, distance: string, clock: Clock): Range => {
  const back = unitsBack[distance.slice(-1)] ?? {};
  const moved = (at: number) => DateTime.fromMillis(at, { zone: clock.zone }).minus(back).toMillis();
  const dayOf = (at: number) =>
    startOf('day', DateTime.fromMillis(at, { zone: clock.zone }).set({ hour: 12 }).minus(back).toJSDate(), clock);
  const endOf = (day: Date) => following('day', day, clock).getTime() - 1;
  const isMidnight = startOf('day', new Date(from), clock).getTime() === from;
  const isLast = endOf(startOf('day', new Date(to), clock)) === to;
  return { from: isMidnight ? dayOf(from).getTime() : moved(from), to: isLast ? endOf(dayOf(to)) : moved(to) };
};

/**
 * So many days earlier as there are days; where days were counted back from today, one less; `-24h` a day earlier to the
 * millisecond. Null for other ranges that are not made of days.
 */
export const rangeBefore = ({ from, to }: Range, written: WrittenRange, clock: Clock): Range | null => {
  const [, count, unit = ''] = /^-?(\d+)([hMs])$/.exec(written.from ?? '') ?? [];
  if (count !== undefined && (written.to === null || written.to === 'now') && from <= to) {
    const ms = Number(count) * ({ h: 3_600_000, M: 60_000, s: 1_000 }[unit] ?? 0);
    return { from: from - ms, to: to - ms };
  }
  const first = startOf('day', new Date(from), clock);
  const last = startOf('day', new Date(to), clock);
  const isWhole = first.getTime() === from && following('day', last, clock).getTime() - 1 === to;
  if (from > to || !isWhole) return null;
  const days = bucketsOf('day', new Date(from), new Date(to), clock).length;
  const isCounted = written.from === null || /^-?\d+[dwmqy]$/.test(written.from);
  const back = isCounted ? Math.max(1, days - 1) : days;
  const moved = (day: Date): Date => {
    let at = day;
    for (let n = 0; n < back; n += 1) at = startOf('day', new Date(at.getTime() - 1), clock);
    return at;
  };
  return { from: moved(first).getTime(), to: following('day', moved(last), clock).getTime() - 1 };
};
