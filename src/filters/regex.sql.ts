import { sql, type Sql } from '../stores/clickhouse/sql.js';
import { text, type Value } from '../stores/clickhouse/values.js';

/**
 * A pattern as ClickHouse's `match` must get it to search as RE2 does by itself: there a dot takes line breaks, too, and
 * what looks like plain text, such as a lone backslash, is not compiled at all.
 */
export const re2 = (pattern: string): Value => text(`(?-s)${pattern}`);

export const regexCheckSql = (pattern: string): Sql => sql`SELECT match('', ${re2(pattern)}) AS found`;
