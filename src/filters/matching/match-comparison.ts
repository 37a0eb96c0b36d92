import { RE2JS } from 're2js';
import { invalidInput } from '../../platform/errors/problem.js';
import {
  type Comparison,
  type PositiveOperator,
  numberIn,
  dateOf,
  holdsAlways,
  isNegative,
  opposites,
  periodOf,
  spellings,
} from '../reading/comparison.js';
import { type DateSpan, absoluteDate } from '../reading/date-operand.js';
import { type FilterValue } from '../reading/filter.js';
import { storedMoment } from './stored-date.js';

/** Decides about the text of a property; null stands for an absent one. */
export type TextMatch = (text: string | null, now: Date) => boolean;

type PresentMatch = (text: string, now: Date) => boolean;

/** The same decision as `comparisonSql` makes in ClickHouse. */
export const matchOf = (comparison: Comparison, at: string): TextMatch => {
  const { operator, values } = comparison;
  if (holdsAlways(comparison)) return () => true;
  const positive = isNegative(operator) ? opposites[operator] : operator;
  const holds = presentMatch(positive, values, at);
  const matches: TextMatch = (text, now) => text !== null && holds(text, now);
  return isNegative(operator) ? (text, now) => !matches(text, now) : matches;
};

const presentMatch = (operator: PositiveOperator, values: readonly FilterValue[], at: string): PresentMatch => {
  if (operator === 'is_set') return () => true;
  if (operator === 'exact') {
    const texts = new Set(values.flatMap(spellings));
    return (text) => texts.has(text);
  }
  if (operator === 'between') {
    const [lowest = '', highest = lowest] = values;
    const [from, until] = [ordered('gte', lowest), ordered('lte', highest)];
    return (text) => from(text) && until(text);
  }
  const each = values.map((value, nth) => single(operator, value, values.length === 1 ? at : `${at}.${nth}`));
  return (text, now) => each.some((match) => match(text, now));
};

const single = (
  operator: Exclude<PositiveOperator, 'is_set' | 'exact' | 'between'>,
  value: FilterValue,
  at: string,
): PresentMatch => {
  switch (operator) {
    case 'icontains': {
      const part = folded(String(value));
      return (text) => folded(text).includes(part);
    }
    case 'regex': {
      const pattern = compiled(String(value), at);
      return (text) => pattern.test(text);
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(operator, value);
    case 'is_date_exact':
      return (text, now) => isWithin(storedMoment(text), periodOf(value, now));
    case 'is_date_before':
      return (text, now) => {
        const [moment, date] = [storedMoment(text), dateOf(value, now)];
        return moment !== null && date !== null && moment < date.from.getTime();
      };
    case 'is_date_after':
      return (text, now) => isAfter(storedMoment(text), dateOf(value, now));
  }
};

const isWithin = (moment: number | null, date: DateSpan | null): boolean =>
  moment !== null && date !== null && moment >= date.from.getTime() && moment < date.until.getTime();

/** After a date means after its whole day, minute or second; after an instant means later than the instant. */
const isAfter = (moment: number | null, date: DateSpan | null): boolean => {
  if (moment === null || date === null) return false;
  const until = date.until.getTime();
  return date.from.getTime() === until ? moment > until : moment >= until;
};

/** Compiles a pattern for a matching in linear time, because the text that it is matched with may come from anyone. */
const compiled = (pattern: string, at: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = (error as Error).message;
    throw invalidInput(`${at} must be a regular expression that RE2 understands: ${reason}`, at);
  }
};

const ascii = /^[\0-\x7f]*$/;

/** Lower case letter by letter, as ClickHouse has it: no letter becomes two, and none depends on those beside it. */
const folded = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text.replace(/\p{Lu}/gu, (letter) => {
        const lower = letter.toLowerCase();
        return [...lower].length === 1 ? lower : letter;
      });

type Order = 'gt' | 'gte' | 'lt' | 'lte';

const orders: Readonly<Record<Order, (difference: number) => boolean>> = {
  gt: (difference) => difference > 0,
  gte: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  lte: (difference) => difference <= 0,
};

/** The type of the filter value decides the comparison: a number with numbers only, a date with dates only, otherwise text. */
const ordered = (operator: Order, value: FilterValue): ((text: string) => boolean) => {
  const holds = orders[operator];
  const number = numberIn(value);
  if (number !== null)
    return (text) => {
      const found = numberIn(text);
      return found !== null && holds(found - number);
    };
  const date = absoluteDate(String(value));
  if (date)
    return (text) => {
      const moment = storedMoment(text);
      return moment !== null && holds(moment - date.from.getTime());
    };
  const bytes = Buffer.from(String(value));
  return (text) => holds(Buffer.compare(Buffer.from(text), bytes));
};
