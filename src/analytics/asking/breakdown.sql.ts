import { filterSql } from '../../filters/compile.sql.js';
import { propertyText } from '../../stores/clickhouse/schema/property.sql.js';
import { empty, identifier, join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { integer, unsigned } from '../../stores/clickhouse/values.js';
import { type Breakdown } from './breakdown.js';
import { questionFilterScope, type QuestionScope } from './question-scope.js';

const value = (column: Sql, key: string): Sql => sql`ifNull(${propertyText(column, key)}, '')`;

const column = (at: number): Sql => identifier(`value_${at}`);

/** Joins the events `e` with the properties of their persons if the breakdown needs them. */
export const breakdownJoin = (breakdown: Breakdown | null, scope: QuestionScope, actor: Sql): Sql => {
  if (breakdown?.kind !== 'property' || breakdown.source !== 'person') return empty;
  const values = breakdown.keys.map((key, at) => sql`${value(sql`properties`, key)} AS ${column(at)}`);
  return sql` GLOBAL ANY LEFT JOIN (
    SELECT id, ${join(values)} FROM persons FINAL WHERE project_id = ${unsigned(scope.projectId)}
  ) AS bp ON bp.id = ${actor}`;
};

/** The values of an event `e`, one for each key; '' for a missing property. */
export const breakdownTexts = ({ source, keys }: Extract<Breakdown, { kind: 'property' }>): Sql[] =>
  keys.map((key, at) => (source === 'event' ? value(sql`e.properties`, key) : sql`bp.${column(at)}`));

/**
 * The values that an event `e` counts for. A value is a list with one text for each key; '' is a missing property. In a breakdown
 * by cohort an event has one value for each cohort that its person is in: the id as text, or `all`.
 */
export const breakdownValues = (breakdown: Breakdown, scope: QuestionScope): Sql => {
  if (breakdown.kind === 'property') return sql`[[${join(breakdownTexts(breakdown))}]]`;
  const memberships = breakdown.cohorts.map((cohortId) => {
    if (cohortId === 'all') return sql`[['all']]`;
    const isMember = filterSql({ kind: 'cohort', cohortId, negated: false }, questionFilterScope(scope));
    return sql`if(${isMember}, [[toString(${integer(cohortId)})]], [])`;
  });
  return sql`arrayConcat(${join(memberships)})`;
};
