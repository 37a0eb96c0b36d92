import { membersOf } from '../../filters/cohort-memberships.js';
import { filterSql } from '../../filters/compile.sql.js';
import { empty, join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { list, text, unsigned } from '../../stores/clickhouse/values.js';
import { breakdownJoin, breakdownTexts } from '../asking/breakdown.sql.js';
import { type Breakdown } from '../asking/breakdown.js';
import { questionFilterScope, type QuestionScope } from '../asking/question-scope.js';
import { isRest } from './trends.query.js';
import { type TrendsValues } from './trends.values.js';

type ByProperty = Extract<Breakdown, { kind: 'property' }>;

const keyOfTexts = (texts: readonly Sql[]): Sql =>
  texts.length === 1 && texts[0] ? texts[0] : sql`toJSONString([${join(texts)}])`;

/** The breakdown value of the event `e` as one text. */
export const keyOfEvent = (breakdown: ByProperty): Sql => keyOfTexts(breakdownTexts(breakdown));

/** The place of a value among the values of the answer; 0: one of the others. */
const placeOfKey = (key: Sql, keys: readonly string[]): Sql => {
  const places = keys.map((_, at) => at + 1);
  return sql`toUInt32(transform(${key}, ${list(text, keys)}, ${list(unsigned, places)}, toUInt64(0)))`;
};

const isMember = (cohortId: number, actor: Sql, scope: QuestionScope): Sql =>
  filterSql({ kind: 'cohort', cohortId, negated: false }, { ...questionFilterScope(scope), actor });

/** Joins rows with the source of their breakdown values: the properties of their persons, or the places of their cohorts. */
export const valuesJoin = (breakdown: Breakdown | null, scope: QuestionScope, actor: Sql): Sql =>
  breakdown?.kind === 'cohort' ? cohortsJoin(breakdown.cohorts, scope, actor) : breakdownJoin(breakdown, scope, actor);

const cohortsJoin = (cohorts: readonly (number | 'all')[], scope: QuestionScope, actor: Sql): Sql => {
  const members = cohorts.flatMap((cohort, at) =>
    cohort === 'all'
      ? []
      : [
          sql`SELECT actor, toUInt32(${unsigned(at + 1)}) AS place FROM ${membersOf(scope.cohorts, cohort, scope.projectId)}`,
        ],
  );
  if (members.length === 0) return empty;
  return sql` GLOBAL ANY LEFT JOIN (
    SELECT actor, groupUniqArray(place) AS places FROM (${join(members, sql` UNION ALL `)}) GROUP BY actor
  ) AS bc ON bc.actor = ${actor}`;
};

/** The places of all cohorts of an actor, one row for each. */
const placesOfActor = (cohorts: readonly (number | 'all')[]): Sql => {
  const allPlaces = cohorts.flatMap((cohort, at) => (cohort === 'all' ? [sql`toUInt32(${unsigned(at + 1)})`] : []));
  if (allPlaces.length === cohorts.length) return sql`arrayJoin([${join(allPlaces)}])`;
  return allPlaces.length === 0
    ? sql`arrayJoin(bc.places)`
    : sql`arrayJoin(arrayConcat([${join(allPlaces)}], bc.places))`;
};

/** The place of the breakdown value; null without a split. Properties are read from `key`, cohorts from the rows of `valuesJoin`. */
export const placeSql = (values: TrendsValues, key: Sql | null): Sql | null => {
  if (values.kind === 'none') return null;
  if (values.kind === 'cohort') return placesOfActor(values.cohorts);
  return key && values.keys.length > 0 ? placeOfKey(key, values.keys) : null;
};

/** Whether a row with this key has the selected value; in a breakdown by cohort, whether the actor is in the selected cohort. */
export const hasValue = (
  breakdown: Breakdown,
  values: TrendsValues,
  selected: readonly string[],
  { key, actor }: { readonly key: Sql; readonly actor: Sql },
  scope: QuestionScope,
): Sql => {
  if (breakdown.kind === 'cohort') {
    const [cohort = 'all'] = selected;
    return cohort === 'all' ? sql`true` : isMember(Number(cohort), actor, scope);
  }
  if (isRest(selected) && values.kind === 'property' && values.hasRest) {
    return values.keys.length === 0 ? sql`true` : sql`${key} NOT IN (${join(values.keys.map((one) => text(one)))})`;
  }
  return sql`${key} = ${keyOfTexts(selected.map((value) => sql`${text(value)}`))}`;
};
