import { type DateTime, type DurationLikeObject } from 'luxon';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { readText } from '../../platform/fields/values.js';
import { endOfDay, inZone, startOfDay, type Calendar } from '../../platform/time/intervals.js';
import { type DateRange, type TimeRange } from '../../platform/time/range.js';
import { storable } from '../../platform/time/storable.js';
import { previousRange } from './previous-range.js';
import { type Params } from '../../filters/asking/question-params.js';

export const comparedPeriods = ['current', 'previous'] as const;

const distances: Readonly<Record<string, (count: number) => DurationLikeObject>> = {
  h: (hours) => ({ hours }),
  d: (days) => ({ days }),
  w: (weeks) => ({ weeks }),
  m: (months) => ({ months }),
  // As in dates: 13 weeks.
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

/** The range with which a question compares its own range. */
export const comparedRange = (
  range: TimeRange,
  calendar: Calendar,
  q: Pick<PeriodComparison, 'compareTo'> & { readonly range: DateRange },
): TimeRange =>
  q.compareTo === null ? previousRange(range, calendar, q.range) : movedBack(range, q.compareTo, calendar);

/** Days stay whole days, also where clocks change and where months have other lengths. */
const movedBack = ({ from, to }: TimeRange, distance: Distance, calendar: Calendar): TimeRange => {
  const [start, last] = [inZone(from, calendar), inZone(to, calendar)];
  const isByHours = 'hours' in distance;
  const dayBefore = (at: DateTime): DateTime => at.set({ hour: 12 }).minus(distance);
  const movedStart = !isByHours && +start === +startOfDay(start) ? startOfDay(dayBefore(start)) : start.minus(distance);
  const movedLast = !isByHours && +last === +endOfDay(last) ? endOfDay(dayBefore(last)) : last.minus(distance);
  return { from: storable(movedStart.toJSDate()), to: storable(movedLast.toJSDate()) };
};
