import { identifier, sql, type Sql } from '../../../platform/clickhouse/sql.js';
import { text } from '../../../platform/clickhouse/values.js';
import { propertyPath } from './properties.js';

/** Paths that the engine reads as a type or a part of the tree, or that crash it. */
const isMisread = (path: string): boolean => /^[:^]/.test(path);

/**
 * A property that is named in the statement is read as a column of its own, at a tenth of the cost of reading it out of
 * all properties. This applies only to names that need no escaping: every other name is bound as a value, and so is a
 * long one, because a statement names a property often.
 */
const isInline = (path: string): boolean => /^[\w$%][\w$% -]{0,99}$/.test(path);

const outOfJson = (column: Sql, key: string): Sql => {
  const [json, name] = [sql`toString(${column})`, text(key)];
  return sql`multiIf(JSONType(${json}, ${name}) = 'Null', NULL,
    JSONType(${json}, ${name}) = 'String', JSONExtractString(${json}, ${name}), JSONExtractRaw(${json}, ${name}))::Nullable(String)`;
};

/**
 * The value of a key in a `properties` column, a Dynamic. The column must belong to a table in FROM, not to a sub-query.
 */
export const propertyValue = (column: Sql, key: string): Sql => {
  const path = propertyPath(key);
  if (isInline(path)) return sql`${column}.${identifier(path)}`;
  return isMisread(path) ? sql`${outOfJson(column, key)}::Dynamic` : sql`getSubcolumn(${column}, ${text(path)})`;
};

/** The same value as text: numbers and booleans as they are written, NULL when it is absent. */
export const propertyText = (column: Sql, key: string): Sql =>
  isMisread(propertyPath(key)) ? outOfJson(column, key) : sql`${propertyValue(column, key)}::Nullable(String)`;

/**
 * All properties as JSON, as they were sent: the column has lists and objects as their text, and writes dots in keys as
 * `%2E`. Most rows have neither, and are written as they are, which costs a tenth.
 */
export const propertiesAsSent = (column: Sql): Sql => {
  const stored = sql`toString(${column})`;
  const asSent = sql`concat('{', arrayStringConcat(arrayMap(
    entry -> concat(toJSONString(replaceAll(replaceAll(entry.1, '%2E', '.'), '%25', '%')), ':',
      if(match(JSONExtractString(entry.2), '^[\\\\[{]') AND isValidJSON(JSONExtractString(entry.2)), JSONExtractString(entry.2), entry.2)),
    JSONExtractKeysAndValuesRaw(${stored})), ','), '}')`;
  return sql`if(multiSearchAny(${stored}, [':"[', ':"{', '%']), ${asSent}, ${stored})`;
};

const storedTypes = { String: sql`String`, Int64: sql`Int64`, Float64: sql`Float64` } as const;

export type StoredType = keyof typeof storedTypes;

/** The value if it was stored as this type (under a misread name: as text), otherwise NULL. It is read as stored. */
export const propertyStoredAs = (column: Sql, key: string, type: StoredType): Sql => {
  const value = propertyValue(column, key);
  return isInline(propertyPath(key))
    ? sql`${value}.:${storedTypes[type]}`
    : sql`dynamicElement(${value}, ${text(type)})`;
};
