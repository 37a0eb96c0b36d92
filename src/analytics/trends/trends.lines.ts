import { otherName, type Breakdown, type BreakdownPart } from '../shared/breakdown.js';
import { cohortLabel, type CohortLabels } from '../shared/cohort-names.js';
import { type TrendsAxis } from './trends.axis.js';
import { type TrendsQuery } from './trends.query.js';
import { type SeriesNumbers } from './trends.numbers.service.js';
import { type TrendsValues, partsOfKey, positionsOf } from './breakdown.sql.js';

/** A line of the chart: a series or the formula, for one breakdown value. */
export interface ChartLine {
  readonly label: string;
  readonly order: number;
  readonly breakdown_value: string | string[] | null;
  readonly data: readonly number[];
  readonly count: number;
}

interface Value {
  readonly value: ChartLine['breakdown_value'];
  readonly label: string | null;
  readonly isRest: boolean;
}

export const missingLabel = 'None (i.e. no value)';

/** The lines, series by series. The breakdown values of a series are sorted by total, descending; "Other" is the last. */
export const chartLines = (
  q: TrendsQuery,
  axis: TrendsAxis,
  numbers: ReadonlyMap<number, SeriesNumbers>,
  cohorts: CohortLabels,
): ChartLine[] => {
  const points = axis.buckets.starts.length;
  const dataAt = (series: number, position: number): readonly number[] =>
    smoothed(numbers.get(series)?.byPosition.get(position) ?? Array.from({ length: points }, () => 0), q.smoothing);
  if (q.formula) {
    const { formula } = q;
    const [{ values } = noNumbers] = numbers.values();
    return inOrder(values, q.breakdown, cohorts)
      .map(({ position, ...value }) => {
        const own = q.series.map((_, series) => (formula.uses.includes(series) ? dataAt(series, position) : []));
        const results = Array.from({ length: points }, (_, at) => formula.at(own.map((data) => data[at] ?? 0)));
        // Not the sum of the results, because a sum of ratios is no ratio.
        const count = formula.at(own.map((data) => lineData(data, axis).count));
        const label = value.label ?? `Formula (${formula.text})`;
        return { ...value, data: lineData(results, axis).data, count, label, order: 0 };
      })
      .sort(falling)
      .map(asLine);
  }
  return q.series.flatMap(({ name, order }, series) =>
    inOrder(numbers.get(series)?.values ?? noNumbers.values, q.breakdown, cohorts)
      .map(({ position, ...value }) => {
        const label = value.label === null ? name : q.series.length === 1 ? value.label : `${name} - ${value.label}`;
        return { ...value, ...lineData(dataAt(series, position), axis), label, order };
      })
      .sort(falling)
      .map(asLine),
  );
};

const noNumbers: SeriesNumbers = { values: { kind: 'none' }, byPosition: new Map() };

interface Unsorted extends Omit<ChartLine, 'breakdown_value'>, Omit<Value, 'label'> {}

const asLine = ({ value, label, order, data, count }: Unsorted): ChartLine => ({
  label,
  order,
  breakdown_value: value,
  data,
  count,
});

const falling = (a: Unsorted, b: Unsorted): number => Number(a.isRest) - Number(b.isRest) || b.count - a.count;

/** Replaces each number by the mean of the last `intervals` numbers, or of fewer at the beginning. */
const smoothed = (data: readonly number[], intervals: number): readonly number[] => {
  if (intervals === 1) return data;
  return data.map((_, at) => {
    const near = data.slice(Math.max(0, at - intervals + 1), at + 1);
    return near.reduce((sum, number) => sum + number, 0) / near.length;
  });
};

const lineData = (data: readonly number[], { display }: TrendsAxis): Pick<ChartLine, 'data' | 'count'> => {
  if (display === 'total') return { data, count: data[0] ?? 0 };
  let total = 0;
  const sums = data.map((number) => (total += number));
  return { data: display === 'cumulative' ? sums : data, count: total };
};

/** The order of lines with equal totals: properties by text, cohorts as in the request. */
const inOrder = (
  values: TrendsValues,
  breakdown: Breakdown | null,
  cohorts: CohortLabels,
): (Value & { readonly position: number })[] => {
  const all = positionsOf(values).map((position) => ({ position, ...valueAt(values, position, breakdown, cohorts) }));
  if (values.kind !== 'property') return all;
  const textOf = ({ value }: Value) => JSON.stringify(value);
  return all.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
};

const valueAt = (values: TrendsValues, position: number, breakdown: Breakdown | null, cohorts: CohortLabels): Value => {
  if (values.kind === 'none') return { value: null, label: null, isRest: false };
  if (values.kind === 'cohort') {
    const cohort = String(values.part.cohorts[position - 1] ?? 'all');
    return { value: cohort, label: cohortLabel(cohort, cohorts), isRest: false };
  }
  const key = values.keys[position - 1];
  if (key === undefined || breakdown === null) return { value: otherName, label: otherName, isRest: true };
  const parts = partsOfKey(key, breakdown);
  const label = parts.map((part, at) => labelOf(part, breakdown.parts[at], cohorts)).join('::');
  return { value: parts.length === 1 ? (parts[0] ?? '') : [...parts], label, isRest: false };
};

const labelOf = (value: string, part: BreakdownPart | undefined, cohorts: CohortLabels): string =>
  part?.kind === 'cohort' ? cohortLabel(value, cohorts) : value === '' ? missingLabel : value;
