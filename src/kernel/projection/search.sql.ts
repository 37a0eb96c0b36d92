import { propertyText } from './schema/property.sql.js';
import { type Sql, join, sql, text } from '../../platform/clickhouse/sql.js';
import { foldCase, searchedProperties } from './search-text.js';

/** The columns of `persons` that a search reads. */
export interface SearchedColumns {
  readonly search: Sql;
  readonly properties: Sql;
}

/** Makes the term a pattern that matches only the term itself. */
const patternOf = (term: string): string => `%${foldCase(term).replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * True if a text of the person contains the term. `nameProperties` are those from which the project takes the names of
 * persons. The index is used only if all of them are among the properties whose values are in the column `search`.
 */
export const containsTerm = (
  { search, properties }: SearchedColumns,
  term: string,
  nameProperties: readonly string[],
): Sql => {
  const others = nameProperties.filter((key) => !searchedProperties.includes(key));
  const ways = [
    sql`${search} LIKE ${text(patternOf(term))}`,
    ...others.map(
      (key) => sql`positionCaseInsensitiveUTF8(ifNull(${propertyText(properties, key)}, ''), ${text(term)}) > 0`,
    ),
  ];
  return sql`(${join(ways, sql` OR `)})`;
};
