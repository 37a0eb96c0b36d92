import { type DateTime, type DurationLikeObject } from 'luxon';
import { type Calendar, endOfDay, inZone, startOfDay } from '../../platform/time/intervals.js';
import { type DateRange, type TimeRange } from '../../platform/time/range.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { readText } from '../../platform/fields/values.js';
import { storable } from '../../platform/time/dates.js';
import { type Params } from '../../filters/asking/questions.js';

/**
 * The range to compare with: of the same length, and directly before. `-24h` is moved by 24 hours. A range of whole days,
 * or one that begins with a day, is moved by whole days and ends at the same time of day, also where clocks change. Any
 * other range is moved by its own length.
 */
export const previousRange = (range: TimeRange, calendar: Calendar, { isCounted, shortMs }: DateRange): TimeRange => {
  if (shortMs !== null) return movedBy(shortMs, range);
  const [start, end] = [inZone(range.from, calendar), inZone(range.to, calendar).plus(1)];
  const days = end.diff(start, 'days').days;
  if (isCounted) return movedByDays(Math.max(1, Math.floor(days - oneMs)), start, end);
  if (isStartOfDay(start)) return movedByDays(Math.max(1, Math.ceil(days)), start, end);
  return Number.isInteger(days) && days > 0
    ? movedByDays(days, start, end)
    : movedBy(range.to.getTime() - range.from.getTime() + 1, range);
};

/** A millisecond in days: `-7d` until the end of today is counted as seven days, although it has eight. */
const oneMs = 1 / 86_400_000;

const movedBy = (ms: number, { from, to }: TimeRange): TimeRange => ({
  from: new Date(from.getTime() - ms),
  to: new Date(to.getTime() - ms),
});

/** `end` is the first moment after the range. */
const movedByDays = (days: number, start: DateTime, end: DateTime): TimeRange => ({
  from: daysBefore(start, days).toJSDate(),
  to: lastMoment(days, end).toJSDate(),
});

/**
 * Moves the end and returns the moment before it, because the moved end exists even where the hour before it is skipped. If
 * clocks change at the end, the last moment is moved instead, so that an end in a repeated hour does not become one in the
 * hour before.
 */
const lastMoment = (days: number, end: DateTime): DateTime => {
  const last = end.minus(1);
  return isStartOfDay(end) || last.offset === end.offset ? daysBefore(end, days).minus(1) : last.minus({ days });
};

const daysBefore = (at: DateTime, days: number): DateTime =>
  isStartOfDay(at) ? startOfDay(at.set({ hour: 12 }).minus({ days })) : at.minus({ days });

const isStartOfDay = (at: DateTime): boolean => +at === +startOfDay(at);

export const comparedPeriods = ['current', 'previous'] as const;

export type ComparedPeriod = (typeof comparedPeriods)[number];

const distances: Readonly<Record<string, (count: number) => DurationLikeObject>> = {
  h: (hours) => ({ hours }),
  d: (days) => ({ days }),
  w: (weeks) => ({ weeks }),
  m: (months) => ({ months }),
  // A quarter has 13 weeks, as in relative dates.
  q: (quarters) => ({ weeks: 13 * quarters }),
  y: (years) => ({ years }),
};

/** The distance to the other range. */
type Distance = DurationLikeObject;

const readDistance = (value: unknown, attr: string): Distance | null => {
  if (value === undefined || value === null) return null;
  const [, count = '0', unit = ''] = /^-(\d{1,4})([hdwmqy])$/.exec(readText(value, attr).trim()) ?? [];
  const distance = distances[unit]?.(Number(count));
  if (distance && Number(count) > 0) return distance;
  throw invalidInput(`${attr} must be a distance back in time, such as -1w, -30d, -1m or -1y`, attr);
};

const compareTo: Field<Distance | null> = {
  description:
    'Compares with the range this far back, such as `-1w`: `h`, `d`, `w`, `m`, `q` or `y`. It switches `compare` on unless that is false.',
  schema: { type: 'string' },
  read: readDistance,
};

export const comparisonParameters = {
  compare: field.boolean({
    description: 'Adds the same series for the previous range, or for the one that `compare_to` names.',
    fallback: false,
    example: false,
  }),
  compare_to: compareTo,
};

export interface PeriodComparison {
  readonly compare: boolean;
  /** Null: the range directly before. */
  readonly compareTo: Distance | null;
}

export const readComparison = (params: Params): PeriodComparison => {
  const read = params.reader(comparisonParameters);
  const [compare, distance] = [read('compare'), read('compare_to')];
  return { compare: compare || (distance !== null && !params.has('compare')), compareTo: distance };
};

/** The parameter of a list of persons that selects one of the ranges. */
export const comparedPeriodParameters = {
  compare_label: field.choice(comparedPeriods, {
    description: 'With `compare`: persons of the current or the previous range.',
    fallback: 'current',
    example: 'current',
  }),
};

export const readPeriod = (params: Params, { compare }: PeriodComparison): ComparedPeriod => {
  const period = params.reader(comparedPeriodParameters)('compare_label');
  if (period === 'current' || compare) return period;
  throw invalidInput('compare_label previous needs compare=true', 'compare_label');
};

/** The range with which a question compares its own range. */
export const comparedRange = (
  range: TimeRange,
  calendar: Calendar,
  q: Pick<PeriodComparison, 'compareTo'> & { readonly range: DateRange },
): TimeRange =>
  q.compareTo === null ? previousRange(range, calendar, q.range) : movedBack(range, q.compareTo, calendar);

/** Moves a range back. Whole days stay whole days, also where clocks change and where months have other lengths. */
const movedBack = ({ from, to }: TimeRange, distance: Distance, calendar: Calendar): TimeRange => {
  const [start, last] = [inZone(from, calendar), inZone(to, calendar)];
  const isByHours = 'hours' in distance;
  const dayBefore = (at: DateTime): DateTime => at.set({ hour: 12 }).minus(distance);
  const movedStart = !isByHours && +start === +startOfDay(start) ? startOfDay(dayBefore(start)) : start.minus(distance);
  const movedLast = !isByHours && +last === +endOfDay(last) ? endOfDay(dayBefore(last)) : last.minus(distance);
  return { from: storable(movedStart.toJSDate()), to: storable(movedLast.toJSDate()) };
};
