import { propertyStoredAs, propertyValue } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, boolean, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type OwnerOfProperties } from '../statement.js';

const sources = { event: sql`events AS p`, person: sql`persons AS p FINAL`, group: sql`groups AS p FINAL` } as const;

/** Lists the most frequent properties, by path, with the types of their values. */
export const propertyTypesSql = (projectId: number, owner: keyof typeof sources): Sql => sql`
  SELECT pair.1 AS path, groupUniqArray(10)(pair.2) AS types, count() AS count
  FROM ${sources[owner]} ARRAY JOIN JSONAllPathsWithTypes(p.properties) AS pair
  WHERE p.project_id = ${unsigned(projectId)}
  GROUP BY path ORDER BY count DESC, path LIMIT 1000`;

/** Asks the engine for its functions, one line each. */
export const functionsSql = sql`
  SELECT name, substringUTF8(trimBoth(replaceRegexpOne(trimBoth(description), '(?s)[\\n].*', '')), 1, 200) AS description
  FROM system.functions`;

export interface OwnedProperty {
  readonly owner: OwnerOfProperties;
  readonly key: string;
}

/**
 * A property whose types are searched for. `hasNumbers` and `hasOthers` tell what was found before; only shipments after
 * `after` are read, or all of them if it is null.
 */
export interface SearchedProperty extends OwnedProperty {
  readonly place: number;
  readonly after: bigint | null;
  readonly hasNumbers: boolean;
  readonly hasOthers: boolean;
}

const newer = { event: sql`events AS p`, person: sql`persons AS p`, group: sql`groups AS p` } as const;

const rowsWith = (projectId: number, { owner, after }: SearchedProperty, condition: Sql): Sql => sql`
  FROM ${after === null ? sources[owner] : newer[owner]}
  WHERE p.project_id = ${unsigned(projectId)} AND ${after === null ? condition : sql`p.version > ${unsigned(after)} AND ${condition}`} LIMIT 1`;

/** Searches each property for a value that is a number and for a value that is not: at most one row for either. */
export const typesOfNamedSql = (projectId: number, searched: readonly SearchedProperty[]): Sql =>
  join(
    searched.flatMap((property) => {
      const { place, key, hasNumbers, hasOthers } = property;
      const properties = sql`p.properties`;
      const isNumber = join(
        (['Float64', 'Int64'] as const).map((type) => sql`isNotNull(${propertyStoredAs(properties, key, type)})`),
        sql` OR `,
      );
      const isOther = sql`dynamicType(${propertyValue(properties, key)}) NOT IN ('None', 'Float64', 'Int64')`;
      const search = (condition: Sql, found: boolean): Sql =>
        sql`SELECT * FROM (SELECT ${unsigned(place)} AS place, ${boolean(found)} AS is_number ${rowsWith(projectId, property, condition)})`;
      return [
        ...(hasNumbers ? [] : [search(sql`(${isNumber})`, true)]),
        ...(hasOthers ? [] : [search(isOther, false)]),
      ];
    }),
    sql` UNION ALL `,
  );
