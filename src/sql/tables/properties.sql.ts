import { propertiesAsSent, propertyStoredAs, propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, join, sql } from '../../platform/clickhouse/sql.js';
import { type OwnerOfProperties, type SqlStatement } from '../statement.js';
import { type Inner } from './table.js';

/** The value at a path of keys and indexes in a JSON text, as text. */
export const insideJson = (json: Sql, path: readonly Sql[]): Sql => {
  const value = sql`ifNull(${json}, '')`;
  const keys = join(path);
  return sql`multiIf(JSONType(${value}, ${keys}) = 'Null', NULL, JSONType(${value}, ${keys}) = 'String', JSONExtractString(${value}, ${keys}), JSONExtractRaw(${value}, ${keys}))`;
};

const storedNumber = (properties: Sql, key: string): Sql =>
  sql`coalesce(${propertyStoredAs(properties, key, 'Float64')}, toFloat64(${propertyStoredAs(properties, key, 'Int64')}))`;

/** Returns the value of `properties`, `properties.key` or `properties.key.inner` in a table. */
export const propertyOf = (
  statement: SqlStatement,
  owner: OwnerOfProperties,
  properties: Sql,
  path: readonly string[],
): Inner => {
  const [key, ...inner] = path;
  if (key === undefined) return { sql: propertiesAsSent(properties), flavor: 'text' };
  const value = propertyText(properties, key);
  if (inner.length === 0) {
    if (statement.scope.types.of(owner, key) === 'number')
      return { sql: storedNumber(properties, key), flavor: 'numeric' };
    return { sql: value, flavor: 'property', storedAs: (type) => propertyStoredAs(properties, key, type) };
  }
  const keys = inner.map((one) => sql`${statement.literals.text(one)}`);
  return { sql: insideJson(value, keys), flavor: 'property' };
};
