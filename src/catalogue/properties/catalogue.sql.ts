import { internalEvents } from '../../kernel/event-log/internal-events.js';
import { type Sql, day, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';

/** A range of days as `YYYY-MM-DD` in UTC, both included. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

export interface NameSelection {
  /** Null: any name. */
  readonly search: string | null;
  /** Only these names; null: all. */
  readonly only: readonly string[] | null;
  readonly without: readonly string[];
}

const dayOf = sql`toDate32(timestamp)`;

const named = (projectId: number, { search, only, without }: NameSelection): Sql =>
  join(
    [
      sql`project_id = ${unsigned(projectId)}`,
      sql`NOT has(${list(text, [...internalEvents, ...without])}, event)`,
      ...(search === null ? [] : [sql`positionCaseInsensitiveUTF8(toString(event), ${text(search)}) > 0`]),
      ...(only === null ? [] : [sql`has(${list(text, only)}, event)`]),
    ],
    sql` AND `,
  );

/** The names of events with their numbers, most frequent of late first. */
export const eventCatalogueSql = (
  projectId: number,
  { first, last }: DayRange,
  selection: NameSelection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sql => sql`
  SELECT toString(event) AS name, countIf(${dayOf} BETWEEN ${day(first)} AND ${day(last)}) AS volume,
    min(timestamp) AS first_seen, max(timestamp) AS last_seen, count() OVER () AS total
  FROM events WHERE ${named(projectId, selection)}
  GROUP BY event ORDER BY volume DESC, name LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const eventCatalogueCountSql = (projectId: number, selection: NameSelection): Sql =>
  sql`SELECT uniqExact(event) AS total FROM events WHERE ${named(projectId, selection)}`;

/**
 * Selects a stamp for each day. If the events of a day change, their number or their newest shipment changes, and so does the
 * stamp.
 */
export const daysSql = (projectId: number, { first, last }: DayRange): Sql => sql`
  SELECT toString(${dayOf}) AS day, concat(toString(count()), ' ', toString(max(version))) AS stamp
  FROM events WHERE project_id = ${unsigned(projectId)} AND ${dayOf} BETWEEN ${day(first)} AND ${day(last)}
  GROUP BY day ORDER BY day DESC`;

/** The properties of the events of a day. */
export const propertiesOfDaySql = (projectId: number, of: string, limit: number): Sql => sql`
  SELECT pair.1 AS path, groupUniqArray(10)(pair.2) AS types, count() AS events, max(timestamp) AS last_seen
  FROM events ARRAY JOIN JSONAllPathsWithTypes(properties) AS pair
  WHERE project_id = ${unsigned(projectId)} AND ${dayOf} = ${day(of)}
  GROUP BY path ORDER BY events DESC, path LIMIT ${unsigned(limit)}`;

/** The properties of persons. */
export const personPropertiesSql = (projectId: number, limit: number): Sql => sql`
  SELECT pair.1 AS path, groupUniqArray(10)(pair.2) AS types, count() AS persons
  FROM persons AS p FINAL ARRAY JOIN JSONAllPathsWithTypes(p.properties) AS pair
  WHERE p.project_id = ${unsigned(projectId)}
  GROUP BY path ORDER BY persons DESC, path LIMIT ${unsigned(limit)}`;

/** All names of events. */
export const allEventNamesSql = (projectId: number): Sql =>
  sql`SELECT DISTINCT toString(event) AS name FROM events
    WHERE ${named(projectId, { search: null, only: null, without: [] })}`;

/** The properties of some of the events with these names. */
export const propertiesOfEventsSql = (
  projectId: number,
  { first, last }: DayRange,
  events: readonly string[],
  limit: number,
): Sql => sql`
  SELECT DISTINCT arrayJoin(JSONAllPaths(some.properties)) AS path FROM (
    SELECT properties FROM events
    WHERE project_id = ${unsigned(projectId)} AND has(${list(text, events)}, event)
      AND ${dayOf} BETWEEN ${day(first)} AND ${day(last)}
    LIMIT ${unsigned(limit)}
  ) AS some`;
