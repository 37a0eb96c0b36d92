import { jsonText } from '../../platform/values/json.js';
import { type DateSpan, absoluteDate, relativeDate, relativePeriod } from './date-operand.js';
import { type FilterValue, type Operator } from './filter.js';

// ClickHouse and the matching in memory both follow this meaning of a comparison.

/** The operators that hold exactly if another operator does not, also for an absent property. */
export const opposites = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_regex: 'regex',
  not_between: 'between',
  is_not_set: 'is_set',
} as const;

type NegativeOperator = keyof typeof opposites;
export type PositiveOperator = Exclude<Operator, NegativeOperator>;

export const isNegative = (operator: Operator): operator is NegativeOperator => Object.hasOwn(opposites, operator);

export interface Comparison {
  readonly operator: Operator;
  readonly values: readonly FilterValue[];
}

const takesNoValue = (operator: Operator): boolean => operator === 'is_set' || operator === 'is_not_set';

/** True for an empty list of values, which is no condition. */
export const holdsAlways = ({ operator, values }: Comparison): boolean =>
  values.length === 0 && !takesNoValue(operator);

/** True if the comparison holds for an absent property. */
export const holdsForAbsent = (comparison: Comparison): boolean =>
  holdsAlways(comparison) || isNegative(comparison.operator);

const digit = '[0-9]';
const month = '(0?[1-9]|1[0-2])';
const dayOfMonth = '(0?[1-9]|[12][0-9]|3[01])';
const zone = ' ?(Z|UTC|GMT|[+-](0[0-9]|1[0-4]):?[0-5][0-9])';
const clock = `[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.${digit}+)?)?(${zone})?`;

/**
 * The texts that count as a date: year first, day first, the form of e-mail headers, Unix seconds and milliseconds. The parser of
 * ClickHouse alone would also accept "12" and "may".
 */
export const dateShape = `^(${[
  `${digit}{4}[-/]${month}[-/]${dayOfMonth}(${clock})?`,
  `${dayOfMonth}[-/]${month}[-/]${digit}{4}(${clock})?`,
  `((Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?${dayOfMonth} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ${digit}{4}(${clock})?`,
  `${digit}{9,10}(\\.${digit}+)?`,
  `${digit}{13}`,
].join('|')})$`;

/**
 * Returns the text in which a list or an object is stored, so that the order of keys and the blanks in a filter's value do not
 * matter; null for any other text.
 */
const storedJson = (text: string): string | null => {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return jsonText(JSON.parse(text) as object);
  } catch {
    return null;
  }
};

/**
 * Returns the texts in which a value may be stored. A large number has the notations of JavaScript (1e+21) and ClickHouse
 * (1e21). The JSON of a list or an object is looked for as the filter has it, because a property may be this text, and in its
 * stored form.
 */
export const spellings = (value: FilterValue): readonly string[] => {
  const written = String(value);
  const json = storedJson(written);
  if (json !== null) return [...new Set([written, json])];
  const exponent = /^(-?\d(?:\.\d+)?)e\+?(\d+)$/.exec(written);
  return exponent ? [`${exponent[1]}e${exponent[2]}`, `${exponent[1]}e+${exponent[2]}`] : [written];
};

const numeric = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export const numberIn = (value: FilterValue): number | null => {
  const number = typeof value === 'string' && numeric.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

export const dateOf = (value: FilterValue, now: Date): DateSpan | null =>
  absoluteDate(String(value)) ?? relativeDate(String(value), now);

/** The period that `is_date_exact` names. */
export const periodOf = (value: FilterValue, now: Date): DateSpan | null =>
  absoluteDate(String(value)) ?? relativePeriod(String(value), now);
