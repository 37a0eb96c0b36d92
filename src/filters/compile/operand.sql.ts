import { propertyStoredAs, propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, instant, integer, sql, text } from '../../platform/clickhouse/sql.js';
import { storable } from '../../platform/time/dates.js';

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

const number = '[0-9]';
const month = '(0?[1-9]|1[0-2])';
const dayOfMonth = '(0?[1-9]|[12][0-9]|3[01])';
const zone = ' ?(Z|UTC|GMT|[+-](0[0-9]|1[0-4]):?[0-5][0-9])';
const clock = `[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.${number}+)?)?(${zone})?`;

/**
 * The texts that count as a date: year first, day first, the form of e-mail headers, Unix seconds and milliseconds. The parser of
 * ClickHouse alone would also accept "12" and "may".
 */
export const dateShape = [
  `${number}{4}[-/]${month}[-/]${dayOfMonth}(${clock})?`,
  `${dayOfMonth}[-/]${month}[-/]${number}{4}(${clock})?`,
  `((Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?${dayOfMonth} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ${number}{4}(${clock})?`,
  `${number}{9,10}(\\.${number}+)?`,
  `${number}{13}`,
].join('|');

const wholly = text(`^(${dateShape})$`);

/** Compares with a date; NULL if the value is no date. */
export const dateComparison = ({ text: value, time }: Operand, order: Sql, date: Date): Sql =>
  time
    ? sql`${time} ${order} ${instant(storable(date))}`
    : sql`if(match(${value}, ${wholly}), toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${value}, 3, 'UTC')), NULL)
        ${order} ${integer(date.getTime())}`;

/** The value as a number; NULL if it is no number. ClickHouse alone would accept "inf" as a number above all others. */
export const numberOf = ({ text: value }: Operand): Sql =>
  sql`if(isFinite(toFloat64OrNull(${value})), toFloat64OrNull(${value}), NULL)`;
