import {
  type Breakdown,
  type CohortPart,
  cohortParts,
  isOther,
  onlyCohorts,
  propertyParts,
} from '../shared/breakdown.js';
import { membersOf } from '../../filters/compile/compile.sql.js';
import { wasMember } from '../../kernel/memberships/membership-history.sql.js';
import { type Sql, empty, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import {
  type ActorThen,
  breakdownJoin,
  breakdownTexts,
  cohortsOfActor,
  isMember,
  partsInOrder,
} from '../shared/breakdown.sql.js';
import { type QuestionScope } from '../shared/question-scopes.js';

/**
 * The breakdown values of a series; rows of ClickHouse name values by position, from 1. In a breakdown by cohort alone they
 * are the cohorts of the request. Otherwise they are the most frequent values, as ClickHouse writes them, and position 0 is
 * all other values.
 */
export type TrendsValues =
  | { readonly kind: 'none' }
  | { readonly kind: 'property'; readonly keys: readonly string[]; readonly hasRest: boolean }
  | { readonly kind: 'cohort'; readonly part: CohortPart };

/** The values of a key. Several parts share one key: the JSON of their values. */
export const partsOfKey = (key: string, { parts }: Breakdown): readonly string[] =>
  parts.length === 1 ? [key] : (JSON.parse(key) as string[]);

export const positionsOf = (values: TrendsValues): number[] => {
  if (values.kind === 'none') return [0];
  const count = values.kind === 'property' ? values.keys.length : values.part.cohorts.length;
  const positions = Array.from({ length: count }, (_, at) => at + 1);
  return values.kind === 'property' && values.hasRest ? [...positions, 0] : positions;
};

const keyOfTexts = (texts: readonly Sql[]): Sql =>
  texts.length === 1 && texts[0] ? texts[0] : sql`toJSONString([${join(texts)}])`;

/** Sorts equally frequent keys by their texts. JSON would sort a slash, which it escapes, after letters. */
export const keyOrder = ({ parts }: Breakdown, key: Sql): Sql =>
  parts.length === 1 ? key : sql`JSONExtract(${key}, 'Array(String)')`;

/** The breakdown value as one text, from the texts of the properties and the cohorts of the row. */
const keyOf = (breakdown: Breakdown, properties: readonly Sql[]): Sql =>
  keyOfTexts(partsInOrder(breakdown, properties, (at) => sql`cohort_names[${unsigned(at + 1)}]`));

/** The breakdown value of the event `e` as one text; null in a breakdown by cohort alone, which has positions instead. */
export const keyOfEvent = (breakdown: Breakdown | null): Sql | null =>
  breakdown === null || onlyCohorts(breakdown) ? null : keyOf(breakdown, breakdownTexts(breakdown));

/** The breakdown value of a row `f` of first times, which has the texts of the properties; null as in `keyOfEvent`. */
export const keyOfFirst = (breakdown: Breakdown | null): Sql | null =>
  breakdown === null || onlyCohorts(breakdown)
    ? null
    : keyOf(
        breakdown,
        propertyParts(breakdown).map((_, at) => sql`f.texts[${unsigned(at + 1)}]`),
      );

/** The position of a value among the values of the answer; 0 if it is not one of them. */
const positionOfKey = (key: Sql, keys: readonly string[]): Sql => {
  const positions = keys.map((_, at) => at + 1);
  return sql`toUInt32(transform(${key}, ${list(text, keys)}, ${list(unsigned, positions)}, toUInt64(0)))`;
};

/** Joins rows with the source of their breakdown values: the properties of their persons, and their cohorts. */
export const valuesJoin = (breakdown: Breakdown | null, scope: QuestionScope, then: ActorThen): Sql => {
  const properties = onlyCohorts(breakdown) ? empty : breakdownJoin(breakdown, scope);
  return sql`${properties}${cohortsJoin(breakdown, scope, then)}`;
};

/** True if an event has a row for each combination of cohorts of its actor. */
export const hasRowsOfCohorts = (breakdown: Breakdown | null): breakdown is Breakdown =>
  breakdown !== null && onlyCohorts(breakdown) === null && cohortParts(breakdown).length > 0;

/**
 * Joins rows with the cohorts of their actors: in a breakdown by cohort alone with the positions of the cohorts, otherwise
 * with one row for each combination of cohorts.
 */
export const cohortsJoin = (breakdown: Breakdown | null, scope: QuestionScope, then: ActorThen): Sql => {
  const only = onlyCohorts(breakdown);
  if (only) return only.atEvent ? empty : positionsJoin(only, scope, then.actor);
  return hasRowsOfCohorts(breakdown)
    ? sql` ARRAY JOIN ${cohortsOfActor(breakdown, then, scope)} AS cohort_names`
    : empty;
};

const positionsJoin = ({ cohorts }: CohortPart, scope: QuestionScope, actor: Sql): Sql => {
  const members = cohorts.flatMap((cohort, at) =>
    cohort === 'all'
      ? []
      : [sql`SELECT actor, ${positionOfCohort(at)} AS place FROM ${membersOf(scope.cohorts, cohort, scope.projectId)}`],
  );
  if (members.length === 0) return empty;
  return sql` GLOBAL ANY LEFT JOIN (
    SELECT actor, groupUniqArray(place) AS places FROM (${join(members, sql` UNION ALL `)}) GROUP BY actor
  ) AS bc ON bc.actor = ${actor}`;
};

const positionOfCohort = (at: number): Sql => sql`toUInt32(${unsigned(at + 1)})`;

/** The positions of all cohorts of an actor, one row for each. */
const positionsOfActor = ({ cohorts, atEvent }: CohortPart, moment: Sql): Sql => {
  if (atEvent) {
    const positions = cohorts.map((cohort, at) =>
      cohort === 'all'
        ? sql`[${positionOfCohort(at)}]`
        : sql`if(${wasMember(cohort, moment)}, [${positionOfCohort(at)}], [])`,
    );
    return sql`arrayJoin(arrayConcat(${join(positions)}))`;
  }
  const ofEveryone = cohorts.flatMap((cohort, at) => (cohort === 'all' ? [positionOfCohort(at)] : []));
  if (ofEveryone.length === cohorts.length) return sql`arrayJoin([${join(ofEveryone)}])`;
  return ofEveryone.length === 0
    ? sql`arrayJoin(bc.places)`
    : sql`arrayJoin(arrayConcat([${join(ofEveryone)}], bc.places))`;
};

/**
 * The position of the breakdown value; null without a split. Values are read from `key`, cohorts from the rows of `valuesJoin`
 * or, at the moment of the event, from histories.
 */
export const positionSql = (values: TrendsValues, key: Sql | null, moment: Sql): Sql | null => {
  if (values.kind === 'none') return null;
  if (values.kind === 'cohort') return positionsOfActor(values.part, moment);
  return key && values.keys.length > 0 ? positionOfKey(key, values.keys) : null;
};

/** True if a row with this key has the selected value; in a breakdown by cohort alone, if the actor is in the cohort. */
export const hasValue = (
  { breakdown, values, scope }: { breakdown: Breakdown; values: TrendsValues; scope: QuestionScope },
  selected: readonly string[],
  { key, ...then }: ActorThen & { readonly key: Sql | null },
): Sql => {
  const only = onlyCohorts(breakdown);
  if (key === null || only !== null) {
    const [cohort = 'all'] = selected;
    return cohort === 'all' || only === null ? sql`true` : isMember(Number(cohort), only, then, scope);
  }
  if (isOther(selected) && values.kind === 'property' && values.hasRest) {
    return values.keys.length === 0 ? sql`true` : sql`${key} NOT IN (${join(values.keys.map((one) => text(one)))})`;
  }
  return sql`${key} = ${keyOfTexts(selected.map((value) => sql`${text(value)}`))}`;
};
