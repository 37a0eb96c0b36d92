import { inZone, startOf, startOfNext, type Calendar, type Interval } from '../../platform/time/intervals.js';
import { type TimeRange } from '../../platform/time/range.js';
import { type Past } from './alert-rule.js';

export const calculationIntervals = ['hourly', 'daily', 'weekly', 'monthly'] as const;

export type CalculationInterval = (typeof calculationIntervals)[number];

const unitOf: Readonly<Record<CalculationInterval, Interval>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

/** An interval of a question that an alert decides, and the moment from which it may be decided. */
export interface DecidedInterval {
  readonly start: Date;
  /** The first moment after it. */
  readonly end: Date;
  readonly moment: Date;
}

/** When an alert decides which intervals of its question. */
export interface Schedule {
  readonly calculation: CalculationInterval;
  /** The interval of the question. */
  readonly interval: Interval;
  readonly skipWeekend: boolean;
  readonly calendar: Calendar;
}

/** Events of the last moments of an interval have this long to arrive before it is decided. */
export const graceMs = 60_000;

const firstRetryMs = 30_000;
const longestRetryMs = 3_600_000;

/** The pause after a failure, by how many came before it. */
export const retryDelayMs = (failures: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 20));

/** After a pause of the service, at most so many intervals of an alert are decided afterwards: the latest. */
export const maxMissed = 200;

/** The last interval that has ended at a moment. */
const endedAt = (moment: Date, { interval, calendar }: Schedule): DecidedInterval => {
  const end = startOf(interval, moment, calendar);
  return { start: startOf(interval, new Date(end.getTime() - 1), calendar), end, moment };
};

const isSkipped = ({ start }: DecidedInterval, { skipWeekend, interval, calendar }: Schedule): boolean =>
  skipWeekend && (interval === 'hour' || interval === 'day') && inZone(start, calendar).weekday >= 6;

/** Every moment at which the alert may decide an interval, from the first at or before `from`, up to `until`. */
function* momentsBetween(from: Date, until: Date, { calculation, calendar }: Schedule): Generator<Date> {
  const unit = unitOf[calculation];
  for (let at = startOf(unit, from, calendar); at <= until; at = startOfNext(unit, at, calendar)) yield at;
}

/** The intervals that an alert decides in a time range, in order. It begins with the last one that had ended at its start. */
export const decidedIntervals = ({ from, to }: TimeRange, schedule: Schedule): DecidedInterval[] => {
  const decided: DecidedInterval[] = [];
  for (const moment of momentsBetween(from, to, schedule)) {
    const next = endedAt(moment, schedule);
    if (isSkipped(next, schedule) || next.end.getTime() === decided.at(-1)?.end.getTime()) continue;
    decided.push(next);
  }
  return decided;
};

/** The first moment after one at which the alert decides an interval. */
export const nextMoment = (after: Date, { calculation, calendar }: Pick<Schedule, 'calculation' | 'calendar'>): Date =>
  startOfNext(unitOf[calculation], after, calendar);

/** The moment at or before `at`. */
export const lastMoment = (at: Date, { calculation, calendar }: Pick<Schedule, 'calculation' | 'calendar'>): Date =>
  startOf(unitOf[calculation], at, calendar);

/** The starts of the intervals in the past of a decided one, the nearest first. */
export const startsOfPast = (
  { start }: DecidedInterval,
  { count, step }: Past,
  { interval, calendar }: Schedule,
): Date[] => {
  if (step === 'interval') return count === 0 ? [] : [startOf(interval, new Date(start.getTime() - 1), calendar)];
  const local = inZone(start, calendar);
  return Array.from({ length: count }, (_, at) =>
    startOf(interval, local.minus({ [`${step}s`]: at + 1 }).toJSDate(), calendar),
  );
};
