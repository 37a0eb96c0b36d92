import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { missingLabel } from '../../analytics/trends/trends.lines.js';
import { type Fields } from '../../platform/fields/values.js';
import { missingValue, restValue } from './insight-node.js';

interface Option {
  readonly label: string;
  readonly value: unknown;
}

const distinct = (options: readonly Option[]): Option[] => [
  ...new Map(options.map((option) => [JSON.stringify(option.value), option])).values(),
];

/** The points of the first line. */
const daysOf = ([line]: readonly Fields[]): Option[] => {
  const [days = [], labels = []] = [line?.days, line?.labels] as [unknown[]?, string[]?];
  return days.map((value, at) => ({ label: labels[at] ?? String(value), value }));
};

const seriesIn = (lines: readonly Fields[]): Option[] =>
  distinct(
    lines.flatMap(({ action }) => {
      const { order, custom_name, name } = (action ?? {}) as Fields;
      const label = [custom_name, name].find((one) => typeof one === 'string') ?? 'All events';
      return typeof order === 'number' ? [{ label, value: order }] : [];
    }),
  );

const periodsIn = (lines: readonly Fields[]): Option[] =>
  distinct(
    lines.flatMap(({ compare_label: label }) =>
      typeof label === 'string' ? [{ label: label.charAt(0).toUpperCase() + label.slice(1), value: label }] : [],
    ),
  );

const namesOfValues: Readonly<Record<string, string>> = {
  [missingValue]: missingLabel,
  [restValue]: 'Other (i.e. all remaining values)',
};

const optionOf = (value: unknown): Option => ({ label: namesOfValues[String(value)] ?? String(value), value });

/** The values of a breakdown: one list, or one for each of its properties. */
const valuesIn = (lines: readonly Fields[]): Fields => {
  const values = lines.flatMap(({ breakdown_value: value }) => (value === undefined ? [] : [value]));
  const several = values.filter((value) => Array.isArray(value)) as (readonly unknown[])[];
  if (several.length === 0) return { breakdown: distinct(values.map(optionOf)) };
  return {
    breakdowns: (several[0] ?? []).map((_, at) => ({ values: distinct(several.map((all) => optionOf(all[at]))) })),
  };
};

const statuses = ['new', 'returning', 'resurrecting', 'dormant'];

const ofInsight: Partial<Record<InsightType, (results: readonly Fields[]) => Fields>> = {
  trends: (lines) => ({ day: daysOf(lines), ...valuesIn(lines), series: seriesIn(lines), compare: periodsIn(lines) }),
  stickiness: (lines) => ({ day: daysOf(lines), series: seriesIn(lines), compare: periodsIn(lines) }),
  lifecycle: (lines) => ({
    day: daysOf(lines),
    status: statuses.map((value) => ({ label: value.charAt(0).toUpperCase() + value.slice(1), value })),
  }),
  // With a breakdown, each value has the same rows.
  retention: (rows) => ({
    interval: [...new Set(rows.map(({ label }) => String(label)))].map((label, value) => ({ label, value })),
    ...valuesIn(rows),
  }),
};

/** The options by which the persons behind an answer can be selected, as the answer has them. Empty lists are missing. */
export const optionsIn = (insight: InsightType, results: unknown): Fields => {
  const options = ofInsight[insight]?.(Array.isArray(results) ? (results as Fields[]) : []) ?? {};
  return Object.fromEntries(Object.entries(options).filter(([, list]) => (list as readonly unknown[]).length > 0));
};
