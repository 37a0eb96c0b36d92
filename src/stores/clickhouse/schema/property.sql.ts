import { identifier, sql, type Sql } from '../sql.js';
import { text } from '../values.js';
import { propertyPath } from './properties.js';

/** What the engine takes for a type or a part of the tree, or dies of. */
const isMisread = (path: string): boolean => /^[:^]/.test(path);

/**
 * Named in the statement the property is read as a column of its own, which costs a tenth of what reading it out of all
 * properties does. Only names that need no escaping: every other one is bound as a value, and so is a long one, because a
 * statement names a property often.
 */
const isInline = (path: string): boolean => /^[\w$%][\w$% -]{0,99}$/.test(path);

const outOfJson = (column: Sql, key: string): Sql => {
  const [json, name] = [sql`toString(${column})`, text(key)];
  return sql`multiIf(JSONType(${json}, ${name}) = 'Null', NULL,
    JSONType(${json}, ${name}) = 'String', JSONExtractString(${json}, ${name}), JSONExtractRaw(${json}, ${name}))::Nullable(String)`;
};

/** What stands under a key of a `properties` column, a Dynamic. The column must be that of a table in FROM, not of a sub-query. */
export const propertyValue = (column: Sql, key: string): Sql => {
  const path = propertyPath(key);
  if (isInline(path)) return sql`${column}.${identifier(path)}`;
  return isMisread(path) ? sql`${outOfJson(column, key)}::Dynamic` : sql`getSubcolumn(${column}, ${text(path)})`;
};

/** The same as text: numbers and booleans as they are written, NULL where there is nothing. */
export const propertyText = (column: Sql, key: string): Sql =>
  isMisread(propertyPath(key)) ? outOfJson(column, key) : sql`${propertyValue(column, key)}::Nullable(String)`;

const storedTypes = { String: sql`String`, Int64: sql`Int64`, Float64: sql`Float64` } as const;

/** Only what was stored as this type (under a misread name, text), otherwise NULL: read as it lies there. */
export const propertyStoredAs = (column: Sql, key: string, type: keyof typeof storedTypes): Sql => {
  const value = propertyValue(column, key);
  return isInline(propertyPath(key))
    ? sql`${value}.:${storedTypes[type]}`
    : sql`dynamicElement(${value}, ${text(type)})`;
};
