import { isOther } from '../shared/breakdown.js';
import { type FunnelBinDto, type FunnelBreakdownDto, type FunnelStepDto, type FunnelTrendDto } from './funnel.dto.js';
import { maxBins } from './funnel.parameters.js';
import { type FunnelQuery } from './funnel.query.js';
import { type Bins } from './funnel.sql.js';
import { indexesOf, stepAt } from './optional-steps.js';

export interface StepsRow {
  readonly value?: readonly string[];
  /** The number of actors that reached each step. */
  readonly counts: readonly number[];
  /** Seconds for each step from the second on that at least one actor reached. */
  readonly averages: readonly number[];
  readonly medians: readonly number[];
}

export interface SpanRow {
  readonly persons: number;
  readonly shortest: number;
  readonly longest: number;
  readonly average: number;
}

export interface BinRow {
  readonly bin: number;
  readonly persons: number;
}

export interface TrendRow {
  readonly bucket: number;
  readonly value?: readonly string[];
  readonly reached_from: number;
  readonly reached_to: number;
}

export const presentSteps = (q: FunnelQuery, row: StepsRow | undefined): FunnelStepDto[] => {
  let before: number | undefined;
  return indexesOf(q).map((index, order) => {
    const count = row?.counts[order] ?? 0;
    const isOptional = 'optional' in index;
    const time = (times: readonly number[] | undefined) =>
      isOptional || order === 0 || count === 0 ? null : (times?.[index.required - 1] ?? null);
    const fromPrevious = rate(count, before ?? count);
    if (!isOptional) before = count;
    const { name } = stepAt(q, index);
    return {
      order,
      name: q.orderType === 'unordered' ? `Completed ${order + 1} step${order === 0 ? '' : 's'}` : name,
      optional: isOptional,
      count,
      conversion_rate: rate(count, row?.counts[0]),
      conversion_rate_from_previous: fromPrevious,
      average_conversion_time: time(row?.averages),
      median_conversion_time: time(row?.medians),
    };
  });
};

const rate = (count: number, of = 0): number => (of === 0 ? 0 : count / of);

/** Reads the parts of a value of the breakdown as people do; null if they are no cohorts. */
export type LabelsOf = ((value: readonly string[]) => string[]) | null;

export const presentBreakdown = (q: FunnelQuery, rows: readonly StepsRow[], labelsOf: LabelsOf): FunnelBreakdownDto[] =>
  lastOther(rows).map((row) => ({
    value: presentValue(row.value),
    ...(labelsOf && { labels: labelsOf(row.value ?? []) }),
    steps: presentSteps(q, row),
  }));

const lastOther = <T extends { readonly value?: readonly string[] }>(rows: readonly T[]): readonly T[] => [
  ...rows.filter(({ value = [] }) => !isOther(value)),
  ...rows.filter(({ value = [] }) => isOther(value)),
];

const presentValue = (value: readonly string[] = []): string | string[] =>
  value.length === 1 ? (value[0] ?? '') : [...value];

/** Bins of whole seconds; by default as many as the cube root of the number of persons. */
export const binsOf = ({ persons, shortest, longest }: SpanRow, binCount: number | null): Bins => {
  const from = Math.floor(shortest);
  const count = Math.min(binCount ?? Math.min(60, Math.max(1, Math.ceil(Math.cbrt(persons)))), maxBins);
  return { from, count, width: Math.max(1, Math.ceil((Math.ceil(longest) - from) / count)) };
};

export const presentBins = ({ from, width, count }: Bins, rows: readonly BinRow[]): FunnelBinDto[] => {
  const persons = new Map(rows.map((row) => [row.bin, row.persons]));
  return Array.from({ length: count }, (_, bin) => ({
    from: from + bin * width,
    to: from + (bin + 1) * width,
    count: persons.get(bin) ?? 0,
  }));
};

/** One series, or one for each value of the breakdown. */
export const presentTrends = (
  labels: readonly string[],
  rows: readonly TrendRow[],
  { isSplit, labelsOf }: { readonly isSplit: boolean; readonly labelsOf: LabelsOf },
): FunnelTrendDto[] => {
  if (!isSplit) return [seriesOf(labels, rows)];
  const rowsByValue = new Map<string, TrendRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.value);
    const own = rowsByValue.get(key);
    if (own) own.push(row);
    else rowsByValue.set(key, [row]);
  }
  const series = [...rowsByValue.values()].map((own) => {
    return { value: own[0]?.value ?? [], entered: own.reduce((sum, row) => sum + row.reached_from, 0), own };
  });
  series.sort((a, b) => b.entered - a.entered);
  return lastOther(series).map(({ value, own }) => ({
    breakdown_value: presentValue(value),
    ...(labelsOf && { breakdown_labels: labelsOf(value) }),
    ...seriesOf(labels, own),
  }));
};

const seriesOf = (labels: readonly string[], rows: readonly TrendRow[]): FunnelTrendDto => {
  const at = new Map(rows.map((row) => [row.bucket, row]));
  const reached_from = labels.map((_, bucket) => at.get(bucket)?.reached_from ?? 0);
  const reached_to = labels.map((_, bucket) => at.get(bucket)?.reached_to ?? 0);
  const data = reached_from.map((from, bucket) => (from === 0 ? 0 : (100 * (reached_to[bucket] ?? 0)) / from));
  return { days: [...labels], data, reached_from, reached_to };
};
