import { propertyStoredAs, propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, instant, integer, join, list, real, sql, text } from '../../platform/clickhouse/sql.js';
import { storable } from '../../platform/time/dates.js';
import {
  type Comparison,
  type PositiveOperator,
  numberIn,
  dateOf,
  dateShape,
  holdsAlways,
  isNegative,
  opposites,
  periodOf,
  spellings,
} from '../reading/comparison.js';
import { type DateSpan, absoluteDate } from '../reading/date-operand.js';
import { type FilterValue, type Operator } from '../reading/filter.js';
import { re2 } from './regex.sql.js';

/** The left side of a comparison. */
export interface Operand {
  /** The value as text, `Nullable(String)` if the value can be absent. */
  readonly text: Sql;
  /** The value only if it is stored as text, which is faster to read. */
  readonly storedText: Sql;
  readonly nullable: boolean;
  /**
   * The value as a time if the column is a time: dates then need no parsing, and equality is equality of dates; null otherwise.
   */
  readonly time: Sql | null;
}

export const propertyOperand = (properties: Sql, key: string): Operand => ({
  text: propertyText(properties, key),
  storedText: propertyStoredAs(properties, key, 'String'),
  nullable: true,
  time: null,
});

export const columnOperand = (column: Sql): Operand => ({
  text: column,
  storedText: column,
  nullable: false,
  time: null,
});

export const timeOperand = (column: Sql): Operand => {
  const written = sql`concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;
  return { text: written, storedText: written, nullable: false, time: column };
};

const wholly = text(dateShape);

/** Compares with a date; NULL if the value is no date. */
const dateComparison = ({ text: value, time }: Operand, order: Sql, date: Date): Sql =>
  time
    ? sql`${time} ${order} ${instant(storable(date))}`
    : sql`if(match(${value}, ${wholly}), toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${value}, 3, 'UTC')), NULL)
        ${order} ${integer(date.getTime())}`;

/** The value as a number; NULL if it is no number. ClickHouse alone would accept "inf" as a number above all others. */
const numberOf = ({ text: value }: Operand): Sql =>
  sql`if(isFinite(toFloat64OrNull(${value})), toFloat64OrNull(${value}), NULL)`;

/** The comparison as 0 or 1, never NULL, because the surrounding condition may negate it. */
export const comparisonSql = (operand: Operand, { operator, values }: Comparison, now: Date): Sql => {
  if (holdsAlways({ operator, values })) return sql`true`;
  if (!isNegative(operator)) return definite(operand, operator, values, now);
  return sql`NOT ${definite(operand, opposites[operator], values, now)}`;
};

const definite = (operand: Operand, operator: PositiveOperator, values: readonly FilterValue[], now: Date): Sql => {
  const condition = anyOf(operand, operator, values, now);
  // Without ifNull the index of the column stays usable; a present value that needs no parsing never gives NULL.
  return operand.nullable || !plain.includes(operator) ? sql`ifNull(${condition}, false)` : sql`(${condition})`;
};

const plain: readonly Operator[] = ['exact', 'icontains', 'regex'];

const anyOf = (operand: Operand, operator: PositiveOperator, values: readonly FilterValue[], now: Date): Sql => {
  const [first, second] = values;
  if (operator === 'is_set') return sql`isNotNull(${operand.text})`;
  if (first === undefined) return sql`true`;
  if (operator === 'exact' && !operand.time) return equals(operand, values);
  if (operator === 'between') {
    return sql`${compare(operand, 'gte', first, now)} AND ${compare(operand, 'lte', second ?? first, now)}`;
  }
  return join(
    values.map((value) => sql`ifNull(${compare(operand, operator, value, now)}, false)`),
    sql` OR `,
  );
};

const compare = (
  operand: Operand,
  operator: Exclude<PositiveOperator, 'is_set' | 'between'>,
  value: FilterValue,
  now: Date,
): Sql => {
  const { text: left } = operand;
  switch (operator) {
    case 'exact':
      return within(operand, absoluteDate(String(value)));
    case 'icontains':
      return sql`positionCaseInsensitiveUTF8(${left}, ${text(String(value))}) > 0`;
    case 'regex':
      return sql`match(${left}, ${re2(String(value))})`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(operand, orders[operator], value);
    case 'is_date_exact':
      return within(operand, periodOf(value, now));
    case 'is_date_before':
      return beside(operand, sql`<`, dateOf(value, now)?.from);
    case 'is_date_after':
      return afterwards(operand, dateOf(value, now));
  }
};

const orders = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

/** True if no number or boolean has this text. */
export const isTextOnly = (text: string): boolean => !/^([-+.\d]|inf|nan|true$|false$)/i.test(text);

const equals = (operand: Operand, values: readonly FilterValue[]): Sql => {
  const texts = values.flatMap(spellings);
  const left = texts.every(isTextOnly) ? operand.storedText : operand.text;
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? sql`${left} = ${text(only)}` : sql`${left} IN ${list(text, texts)}`;
};

/** The type of the filter value decides the comparison: a number with numbers only, a date with dates only, otherwise text. */
const ordered = (operand: Operand, order: Sql, value: FilterValue): Sql => {
  const number = numberIn(value);
  if (number !== null) return sql`${numberOf(operand)} ${order} ${real(number)}`;
  const date = absoluteDate(String(value));
  return date ? beside(operand, order, date.from) : sql`${operand.text} ${order} ${text(String(value))}`;
};

const never = sql`false`;

const beside = (operand: Operand, order: Sql, date: Date | undefined): Sql =>
  date ? dateComparison(operand, order, date) : never;

/** After a date means after its whole day, minute or second; after an instant means later than the instant. */
const afterwards = (operand: Operand, date: DateSpan | null): Sql => {
  if (!date) return never;
  const isInstant = date.from.getTime() === date.until.getTime();
  return beside(operand, isInstant ? sql`>` : sql`>=`, date.until);
};

const within = (operand: Operand, date: DateSpan | null): Sql =>
  date ? sql`${beside(operand, sql`>=`, date.from)} AND ${beside(operand, sql`<`, date.until)}` : never;
