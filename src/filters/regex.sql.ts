import { join, sql, type Sql } from '../stores/clickhouse/sql.js';
import { text, type Value } from '../stores/clickhouse/values.js';

/**
 * A pattern as ClickHouse's `match` must get it to search as RE2 does by itself: there a dot takes line breaks, too, and
 * what looks like plain text, such as a lone backslash, is not compiled at all.
 */
export const re2 = (pattern: string): Value => text(`(?-s)${pattern}`);

/** Fails where one of them is not valid. */
export const regexCheckSql = (patterns: readonly string[]): Sql =>
  sql`SELECT [${join(patterns.map((pattern) => sql`match('', ${re2(pattern)})`))}] AS found`;
