import { invalidInput, required } from '../../platform/errors/problem.js';
import { absoluteDate, isRelativeDate } from './date-operand.js';
import { type FilterValue } from './filter.js';
import { type Operator } from './operators.js';

export const maxValues = 5_000;
export const maxTextLength = 1_000;
export const maxPatternLength = 8_000;

/** Describes why a value does not fit its operator; null if it fits. */
type Fault = (value: FilterValue) => string | null;

const fitting: Fault = (value) =>
  typeof value === 'string' && value.length > maxTextLength ? `must have at most ${maxTextLength} characters` : null;

const pattern: Fault = (value) => {
  const text = String(value);
  if (text.length > maxPatternLength) return `must be a regular expression of at most ${maxPatternLength} characters`;
  return text.includes('\0') ? 'must be a regular expression without NUL characters' : null;
};

const comparable: Fault = (value) =>
  typeof value === 'boolean' ? 'must be a number, a date or text: true and false have no order' : fitting(value);

const date: Fault = (value) =>
  typeof value === 'string' && (absoluteDate(value) !== null || isRelativeDate(value))
    ? null
    : 'must be an ISO 8601 date such as 2024-01-31 or 2024-01-31T10:00:00Z, or a relative one such as -7d (h, d, w, m, y)';

const instant: Fault = (value) =>
  typeof value === 'string' && absoluteDate(value) !== null
    ? null
    : 'must be an ISO 8601 date such as 2024-01-31 or 2024-01-31T10:00:00Z';

const faults: Readonly<Record<Operator, Fault>> = {
  exact: fitting,
  is_not: fitting,
  icontains: fitting,
  not_icontains: fitting,
  regex: pattern,
  not_regex: pattern,
  gt: comparable,
  gte: comparable,
  lt: comparable,
  lte: comparable,
  between: comparable,
  not_between: comparable,
  is_set: fitting,
  is_not_set: fitting,
  is_date_exact: date,
  is_date_before: date,
  is_date_after: date,
};

const comparing: readonly Operator[] = ['exact', 'is_not', 'gt', 'gte', 'lt', 'lte', 'between', 'not_between'];

const isScalar = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Tells `readValues` that the property is the time of an event. */
export interface OfTime {
  readonly ofTime: boolean;
}

/** Reads the values of a leaf and checks each for the operator. */
export const readValues = (
  input: unknown,
  attr: string,
  operator: Operator,
  { ofTime }: OfTime,
): readonly FilterValue[] => {
  if (operator === 'is_set' || operator === 'is_not_set') return [];
  if (input === undefined || input === null) throw required(attr);
  const pair = operator === 'between' || operator === 'not_between';
  if (pair && (!Array.isArray(input) || input.length !== 2)) {
    throw invalidInput(`${attr} must be a list of two values, the lowest and the highest`, attr);
  }
  const values: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (values.length > maxValues) throw invalidInput(`${attr} must be a list of at most ${maxValues} values`, attr);
  const fault = ofTime && comparing.includes(operator) ? instant : faults[operator];
  return values.map((value, at) => readValue(value, Array.isArray(input) ? `${attr}.${at}` : attr, fault));
};

const readValue = (value: unknown, attr: string, fault: Fault): FilterValue => {
  if (!isScalar(value)) throw invalidInput(`${attr} must be text, a number, true or false, or a list of these`, attr);
  const reason = fault(value);
  if (reason !== null) throw invalidInput(`${attr} ${reason}`, attr);
  return value;
};
