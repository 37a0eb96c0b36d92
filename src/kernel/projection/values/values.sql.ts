import { propertyText, propertyValue } from '../schema/property.sql.js';
import { type Sql, empty, list, sql, text, unsigned } from '../../../platform/clickhouse/sql.js';

/** The table whose properties are listed. */
export interface PropertyOwners {
  /** The table, as `p`. */
  readonly from: Sql;
  /** A condition on its rows; absent for all rows of the project. */
  readonly where?: Sql;
}

export interface ValuesPage {
  readonly limit: number;
  readonly offset: number;
}

export const propertyOwners = {
  person: { from: sql`persons AS p FINAL` },
  event: { from: sql`events AS p` },
} as const satisfies Readonly<Record<string, PropertyOwners>>;

const ofProject = (projectId: number, { where }: PropertyOwners): Sql =>
  sql`p.project_id = ${unsigned(projectId)}${where === undefined ? empty : sql` AND ${where}`}`;

const contains = (value: Sql, part: string | null): Sql =>
  part === null ? empty : sql` AND positionCaseInsensitiveUTF8(${value}, ${text(part)}) > 0`;

/** Restores the key of a path: like `propertyOfPath`, a path escapes the dot and the percent sign. */
const keyOfPath = sql`replaceAll(replaceAll(path, '%2E', '.'), '%25', '%')`;

export interface KeySelection {
  readonly owners: PropertyOwners;
  /** Null for any key. */
  readonly part: string | null;
  /** Paths to leave out. */
  readonly hidden: readonly string[];
}

const keys = (projectId: number, { owners, part, hidden }: KeySelection): Sql => sql`
  FROM ${owners.from} ARRAY JOIN JSONAllPaths(p.properties) AS path
  WHERE ${ofProject(projectId, owners)}${contains(keyOfPath, part)}${
    hidden.length === 0 ? empty : sql` AND NOT has(${list(text, hidden)}, path)`
  }`;

/** Selects properties as paths, with the number of persons or events that have them. */
export const propertyKeysSql = (projectId: number, selection: KeySelection, { limit, offset }: ValuesPage): Sql => sql`
  SELECT path, count() AS count, count() OVER () AS total ${keys(projectId, selection)}
  GROUP BY path ORDER BY count DESC, path LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const propertyKeyCountSql = (projectId: number, selection: KeySelection): Sql =>
  sql`SELECT uniqExact(path) AS total ${keys(projectId, selection)}`;

/**
 * The answer contains this many characters of a value. A value may be as long as an event, so values are grouped by their hash.
 */
export const maxValueCharacters = 1000;

const values = (projectId: number, owners: PropertyOwners, key: string, part: string | null): Sql => {
  const stored = propertyValue(sql`p.properties`, key);
  return sql`
    SELECT ifNull(${propertyText(sql`p.properties`, key)}, '') AS value,
      multiIf(dynamicType(${stored}) = 'String', 'text', dynamicType(${stored}) = 'Bool', 'boolean', 'number') AS type
    FROM ${owners.from}
    WHERE ${ofProject(projectId, owners)} AND value != ''${contains(sql`value`, part)}`;
};

export const propertyValuesSql = (
  projectId: number,
  owners: PropertyOwners,
  key: string,
  part: string | null,
  { limit, offset }: ValuesPage,
): Sql => sql`
  SELECT any(substringUTF8(value, 1, ${unsigned(maxValueCharacters + 1)})) AS excerpt, type, count() AS count,
    count() OVER () AS total
  FROM (${values(projectId, owners, key, part)})
  GROUP BY sipHash128(value), type
  ORDER BY count DESC, excerpt, type LIMIT ${unsigned(limit)} OFFSET ${unsigned(offset)}`;

export const propertyValueCountSql = (
  projectId: number,
  owners: PropertyOwners,
  key: string,
  part: string | null,
): Sql => sql`SELECT uniqExact(sipHash128(value), type) AS total FROM (${values(projectId, owners, key, part)})`;
