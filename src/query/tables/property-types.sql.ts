import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { unsigned } from '../../stores/clickhouse/values.js';

const sources = { event: sql`events AS p`, person: sql`persons AS p FINAL` } as const;

/** The types of properties, by path. The newest events are enough to know them. */
export const propertyTypesSql = (projectId: number, owner: keyof typeof sources): Sql => sql`
  SELECT pair.1 AS path, groupUniqArray(10)(pair.2) AS types, count() AS count
  FROM ${sources[owner]} ARRAY JOIN JSONAllPathsWithTypes(p.properties) AS pair
  WHERE p.project_id = ${unsigned(projectId)}
  GROUP BY path ORDER BY count DESC, path LIMIT 1000`;

/** What the engine tells about its functions, one line each. */
export const functionsSql = sql`
  SELECT name, substringUTF8(trimBoth(replaceRegexpOne(trimBoth(description), '(?s)[\\n].*', '')), 1, 200) AS description
  FROM system.functions`;
