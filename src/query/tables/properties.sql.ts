import { propertyStoredAs, propertyText } from '../../stores/clickhouse/schema/property.sql.js';
import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { type SqlStatement } from '../statement.js';
import { type Inner } from './table.js';

/**
 * All properties as JSON. The projection has lists and objects as their text, and writes dots in keys as `%2E`; both are
 * written here as they were sent.
 */
const allProperties = (properties: Sql): Sql => sql`concat('{', arrayStringConcat(arrayMap(
    entry -> concat(toJSONString(replaceAll(replaceAll(entry.1, '%2E', '.'), '%25', '%')), ':',
      if(match(JSONExtractString(entry.2), '^[\\\\[{]') AND isValidJSON(JSONExtractString(entry.2)), JSONExtractString(entry.2), entry.2)),
    JSONExtractKeysAndValuesRaw(toString(${properties}))), ','), '}')`;

/** The value in a JSON text behind keys and places, as text. */
export const insideJson = (json: Sql, path: readonly Sql[]): Sql => {
  const value = sql`ifNull(${json}, '')`;
  const keys = join(path);
  return sql`multiIf(JSONType(${value}, ${keys}) = 'Null', NULL, JSONType(${value}, ${keys}) = 'String', JSONExtractString(${value}, ${keys}), JSONExtractRaw(${value}, ${keys}))`;
};

/** `properties`, `properties.key` and `properties.key.inner` of a table. */
export const propertyOf = (statement: SqlStatement, properties: Sql, path: readonly string[]): Omit<Inner, 'needs'> => {
  const [key, ...inner] = path;
  if (key === undefined) return { sql: allProperties(properties), flavor: 'text' };
  const value = propertyText(properties, key);
  if (inner.length === 0) {
    return { sql: value, flavor: 'property', storedAs: (type) => propertyStoredAs(properties, key, type) };
  }
  const keys = inner.map((one) => sql`${statement.literals.text(one)}`);
  return { sql: insideJson(value, keys), flavor: 'property' };
};
