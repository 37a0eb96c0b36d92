import { type Sql, type Value, join, sql, text } from '../../platform/clickhouse/sql.js';

/**
 * Prefixes a pattern so that `match` of ClickHouse searches like plain RE2. Without the prefix a dot also matches line breaks, and
 * a pattern that looks like plain text, such as a lone backslash, is not compiled at all.
 */
export const re2 = (pattern: string): Value => text(`(?-s)${pattern}`);

/** A statement that fails if a pattern is not valid. */
export const regexCheckSql = (patterns: readonly string[]): Sql =>
  sql`SELECT [${join(patterns.map((pattern) => sql`match('', ${re2(pattern)})`))}] AS found`;
