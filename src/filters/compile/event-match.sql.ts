import { type Sql, join, sql, text } from '../../platform/clickhouse/sql.js';
import { type FilterScope, filterSql } from './compile.sql.js';
import { type EventMatch, isEverything } from '../reading/filter.js';

/** True if the event `e` matches one of the alternatives. */
export const matchesEvent = (alternatives: readonly EventMatch[], scope: FilterScope): Sql => {
  const [only] = alternatives;
  if (only && alternatives.length === 1) return matchesOne(only, scope);
  return sql`(${join(
    alternatives.map((one) => matchesOne(one, scope)),
    sql` OR `,
  )})`;
};

const matchesOne = ({ event, filter }: EventMatch, scope: FilterScope): Sql => {
  const named = event === null ? null : sql`e.event = ${text(event)}`;
  if (isEverything(filter)) return named ?? sql`true`;
  const passes = filterSql(filter, scope);
  return named ? sql`(${named} AND ${passes})` : sql`(${passes})`;
};
