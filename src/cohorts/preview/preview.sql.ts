import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { type Definition } from '../definition/definition.js';
import { membersSql } from '../definition/members.sql.js';

/** Counts the persons or groups that a definition describes, and selects ten of them. */
export const previewSql = (definition: Definition, scope: CalculationScope): Sql => sql`
  SELECT count() AS count, arrayMap(id -> toString(id), groupArraySorted(10)(actor)) AS sample
  FROM (${membersSql(definition, scope)})`;
