import { propertyStoredAs, propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, sql } from '../../platform/clickhouse/sql.js';

/** The number under the key; NULL if the value is absent, no number (such as text or true), or infinite. */
export const numberUnder = (properties: Sql, key: string): Sql => {
  const [real, whole] = [propertyStoredAs(properties, key, 'Float64'), propertyStoredAs(properties, key, 'Int64')];
  // Most values are stored as numbers; only the others are parsed from text.
  const number = sql`multiIf(isNotNull(${real}), ${real}, isNotNull(${whole}), toFloat64(${whole}),
    toFloat64OrNull(${propertyText(properties, key)}))`;
  return finite(number);
};

export const finite = (number: Sql): Sql => sql`if(isFinite(${number}), ${number}, NULL)`;
