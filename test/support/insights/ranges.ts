import fc from 'fast-check';
import { DateTime } from 'luxon';
import { following, startOf, type Clock, type Interval } from './buckets.js';

/** A range as a question has it; null where the question has none. */
export interface WrittenRange {
  readonly from: string | null;
  readonly to: string | null;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;

const pick = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const whole = (min: number, max: number) => fc.integer({ min, max });

/** Around the moments: exactly, by day, or counted back from now. As short as the interval needs. */
export const writtenRange = (
  interval: Interval,
  { zone }: Clock,
  around: number,
  now: number,
): fc.Arbitrary<WrittenRange> => {
  const exactly = (at: number) => new Date(at).toISOString();
  const day = (at: number) => DateTime.fromMillis(at, { zone }).toFormat('yyyy-MM-dd');
  const quarters = (min: number, max: number) => whole(min, max).map((n) => exactly(around + n * 900_000));
  const days = (min: number, max: number) => whole(min, max).map((n) => day(around + n * 24 * hourMs));
  const nearNow = (min: number, max: number) => whole(min, max).map((n) => exactly(now + n * 900_000));
  if (interval === 'minute')
    return fc.oneof(
      fc.record({ from: quarters(-4, 1), to: quarters(-1, 4) }),
      fc.record({
        from: fc.oneof(pick('-90M', '-2h', '-1h', '-45s'), nearNow(-8, 1)),
        to: fc.constantFrom(null, 'now'),
      }),
    );
  if (interval === 'hour')
    return fc.oneof(
      fc.record({ from: quarters(-60, 2), to: quarters(-2, 60) }),
      fc.record({ from: days(-1, 1), to: days(-1, 1) }),
      fc.record({ from: pick('-1d', '-2d', '-24h', '-37h', '-90M', 'dStart', '-1dStart', 'hStart'), to: pick('now') }),
      fc.record({ from: pick('-2d', '-1d', '-48h', 'dStart'), to: fc.constantFrom(null, '-1d', '-5h', 'dEnd') }),
    );
  const longAgo = fc.oneof(
    whole(0, 25).map((n) => `-${n}d`),
    pick(
      '-1w',
      '-3w',
      '-1m',
      '-2m',
      '-1q',
      '-36h',
      'dStart',
      'wStart',
      '-1wStart',
      'mStart',
      '-1mStart',
      'yStart',
      'all',
    ),
  );
  return fc.oneof(
    fc.record({ from: fc.oneof(days(-16, 3), quarters(-900, 90)), to: fc.oneof(days(-3, 16), quarters(-90, 900)) }),
    fc.record({
      from: fc.option(longAgo, { freq: 8 }),
      to: fc.constantFrom(null, null, 'now', '-3d', '-1d', 'dEnd', '-1mEnd'),
    }),
    fc.record({ from: longAgo, to: days(-3, 16) }),
  );
};

export const rangeParameters = ({ from, to }: WrittenRange): Record<string, string> => ({
  ...(from === null ? {} : { date_from: from }),
  ...(to === null ? {} : { date_to: to }),
});

export interface RangeContext extends Clock {
  readonly interval: Interval;
  readonly now: number;
  /** The first event of all; null without any. */
  readonly earliest: number | null;
  /** `-2d` begins at midnight also by the hour. */
  readonly wholeDays: boolean;
}

const units: Readonly<Record<string, object>> = {
  s: { seconds: 1 },
  M: { minutes: 1 },
  h: { hours: 1 },
  d: { days: 1 },
  w: { weeks: 1 },
  m: { months: 1 },
  q: { weeks: 13 },
  y: { years: 1 },
};

const times = (unit: object, count: number): object =>
  Object.fromEntries(Object.entries(unit).map(([name, one]) => [name, Number(one) * count]));

const isFine = (interval: Interval): boolean => interval === 'hour' || interval === 'minute';

/** The moment of a text, and whether the whole day around it is meant. */
const momentOf = (text: string, { now, ...clock }: RangeContext): { readonly at: number; readonly isDay: boolean } => {
  if (text === 'now') return { at: now, isDay: false };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    return { at: DateTime.fromISO(`${text}T12:00`, { zone: clock.zone }).toMillis(), isDay: true };
  }
  const [, count, letter = '', edge] = /^-?(\d+)?([sMhdwmqy])(Start|End)?$/.exec(text) ?? [];
  const unit = units[letter];
  if (!unit) return { at: Date.parse(text), isDay: false };
  const isShort = 'sMh'.includes(letter);
  const at = DateTime.fromMillis(now, { zone: clock.zone }).minus(times(unit, Number(count ?? 0)));
  if (!edge) return { at: at.toMillis(), isDay: !isShort };
  const first = letter === 'y' ? at.set({ month: 1, day: 1, hour: 12 }) : at;
  const interval = ({ h: 'hour', d: 'day', w: 'week', m: 'month', y: 'day' } as const)[letter] ?? 'day';
  const start = startOf(interval, first.toJSDate(), clock);
  if (edge === 'Start') return { at: start.getTime(), isDay: !isShort };
  return { at: following(interval, start, clock).getTime() - 1, isDay: false };
};

const dayAround = (at: number, clock: Clock): Range => {
  const start = startOf('day', new Date(at), clock);
  return { from: start.getTime(), to: following('day', start, clock).getTime() - 1 };
};

/** From the beginning of the first day to the end of the last, or just from moment to moment where the texts are moments. */
export const rangeOf = ({ from: writtenFrom, to: writtenTo }: WrittenRange, context: RangeContext): Range => {
  const { interval, now } = context;
  const to = ((): number => {
    if (writtenTo === null || writtenTo === 'now') {
      if (!isFine(interval)) return dayAround(now, context).to;
      return following(interval, startOf(interval, new Date(now), context), context).getTime() - 1;
    }
    const { at, isDay } = momentOf(writtenTo, context);
    return isDay ? dayAround(at, context).to : at;
  })();
  const text = writtenFrom ?? '-7d';
  if (text === 'all') return { from: Math.min(context.earliest ?? to, to), to };
  const { at, isDay } = momentOf(text, context);
  // Counted back from now by the hour or minute: to the beginning of that hour or minute.
  const isCounted = /^-?\d+[sMhdwmqy]$/.test(text);
  const isShort = /[sMh]$/.test(text) || /[sMh]Start$/.test(text);
  if (isFine(interval) && !context.wholeDays && (isShort || isCounted) && !text.endsWith('End')) {
    return { from: startOf(interval, new Date(at), context).getTime(), to };
  }
  return { from: isDay ? dayAround(at, context).from : at, to };
};
