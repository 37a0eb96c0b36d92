import { type Sql, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type PropertyOwners } from '../../kernel/projection/values/values.sql.js';

export const groupsOfType = (typeIndex: number): PropertyOwners => ({
  from: sql`groups AS p FINAL`,
  where: sql`p.group_type_index = ${unsigned(typeIndex)}`,
});

/** Selects the most frequent properties of each type as paths, with the number of groups that have them. */
export const propertiesByTypeSql = (projectId: number, perType: number): Sql => sql`
  SELECT toString(p.group_type_index) AS type, path, count() AS count
  FROM groups AS p FINAL ARRAY JOIN JSONAllPaths(p.properties) AS path
  WHERE p.project_id = ${unsigned(projectId)}
  GROUP BY p.group_type_index, path
  ORDER BY p.group_type_index, count DESC, path LIMIT ${unsigned(perType)} BY p.group_type_index`;
