import { jsonText, put } from '../../../platform/values/json.js';
import { WrittenProperties } from '../../../platform/clickhouse/request.js';
import { type Sql, identifier, sql, text } from '../../../platform/clickhouse/sql.js';

type Projected = string | number | boolean;

/**
 * Whole numbers that ClickHouse's JSON parser refuses: too long for 64 bits, too short for JavaScript to write with an
 * exponent.
 */
const isUnreadable = (value: number): boolean => Math.abs(value) >= 2 ** 63 && Math.abs(value) < 1e21;

const projected = (value: unknown): Projected => {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isUnreadable(value) ? String(value) : value;
  return jsonText(value as object);
};

/**
 * Converts properties into the form of the JSON column: one level of texts, numbers and booleans. Lists and objects
 * become their JSON text, which preserves their shape and empty ones, and limits the number of paths to the number of
 * top-level keys. A null counts as absent.
 */
export const projectedProperties = (properties: object): Record<string, Projected> => {
  const flat: Record<string, Projected> = {};
  for (const [key, value] of Object.entries(properties) as [string, unknown][]) {
    if (value !== null && value !== undefined) put(flat, escapedKey(key), projected(value));
  }
  return flat;
};

/**
 * Finds JSON text that projecting may change: lists, objects, nulls, keys to escape, and numbers that JavaScript would write in
 * another way or ClickHouse would take for another type. A text may only look like one of these; it is then parsed without
 * need.
 */
const mayDiffer = /[[{%]|null|\d{16}|\.\d*0(?!\d)/;

/** Like `projectedProperties`, for properties as JSON text, which mostly need not be parsed. */
export const projectedText = (json: string): Record<string, Projected> | WrittenProperties =>
  mayDiffer.test(json.slice(1)) ? projectedProperties(JSON.parse(json) as object) : new WrittenProperties(json);

/** True if properties already have the form that `projectedProperties` makes. */
export const isProjected = (properties: object): boolean => {
  for (const key in properties) {
    const value = (properties as Record<string, unknown>)[key];
    if (typeof value === 'number' ? isUnreadable(value) : typeof value !== 'string' && typeof value !== 'boolean') {
      return false;
    }
    if (key.includes('%')) return false;
  }
  return true;
};

/** The path of a property in a `properties` column, which `getSubcolumn` accepts as a bound text. */
export const propertyPath = (key: string): string => escapedKey(key).replaceAll('.', '%2E');

/** The property to which a path, as in `JSONAllPaths`, belongs. */
export const propertyOfPath = (path: string): string =>
  path.replace(/%(2E|25)/g, (_, code) => (code === '25' ? '%' : '.'));

/** ClickHouse writes a dot in a key as `%2E`; a key that already contains such text must stay different. */
const escapedKey = (key: string): string => (key.includes('%') ? key.replace(/%(?=25|2E)/g, '%25') : key);

/** True if ClickHouse takes the path for syntax of JSON columns; some such paths crash it. */
const isMisread = (path: string): boolean => /^[:^]/.test(path);

/**
 * True if the statement may name the property, which is then read as a column of its own, at a tenth of the cost of reading it
 * out of all properties. True only for names that need no escaping, and not for long ones, because a statement names a property
 * often. All other names are bound as values.
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

/** The value as text: numbers and booleans as they are written, NULL when it is absent. */
export const propertyText = (column: Sql, key: string): Sql =>
  isMisread(propertyPath(key)) ? outOfJson(column, key) : sql`${propertyValue(column, key)}::Nullable(String)`;

/**
 * All properties as JSON, as they were sent: the column has lists and objects as their text, and writes dots in keys as `%2E`.
 * Most rows have none of these and are returned unchanged, which costs a tenth.
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

/** The value, not converted, if it was stored as this type, otherwise NULL. A value under a misread name counts as text. */
export const propertyStoredAs = (column: Sql, key: string, type: StoredType): Sql => {
  const value = propertyValue(column, key);
  return isInline(propertyPath(key))
    ? sql`${value}.:${storedTypes[type]}`
    : sql`dynamicElement(${value}, ${text(type)})`;
};

/** Returns the name that a type of the engine has in the API. */
export const typeOfStored = (type: string): string => {
  if (type === 'Bool') return 'boolean';
  return type === 'String' ? 'text' : 'number';
};
