import {
  type Breakdown,
  type CohortPart,
  cohortParts,
  isOther,
  onlyCohorts,
  propertyParts,
} from '../shared/breakdown.js';
import { cohortNamed, membersOf } from '../../filters/compile/compile.sql.js';
import { wasMember } from '../../kernel/memberships/membership-history.sql.js';
import { type Sql, empty, identifier, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import {
  type ActorsThen,
  breakdownJoin,
  breakdownTexts,
  cohortsOfRow,
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
export const keyOfEvent = (breakdown: Breakdown | null, scope: QuestionScope): Sql | null =>
  breakdown === null || onlyCohorts(breakdown) ? null : keyOf(breakdown, breakdownTexts(breakdown, scope));

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

/** Joins rows with the source of their breakdown values: the properties of their persons and groups, and their cohorts. */
export const valuesJoin = (breakdown: Breakdown | null, scope: QuestionScope, then: ActorsThen): Sql => {
  const properties = onlyCohorts(breakdown) ? empty : breakdownJoin(breakdown, scope);
  return sql`${properties}${cohortsJoin(breakdown, scope, then)}`;
};

/** True if an event has a row for each combination of its cohorts. */
export const hasRowsOfCohorts = (breakdown: Breakdown | null): breakdown is Breakdown =>
  breakdown !== null && onlyCohorts(breakdown) === null && cohortParts(breakdown).length > 0;

/**
 * Joins rows with their cohorts: in a breakdown by cohort alone with the positions of the cohorts, otherwise
 * with one row for each combination of cohorts.
 */
export const cohortsJoin = (breakdown: Breakdown | null, scope: QuestionScope, then: ActorsThen): Sql => {
  const only = onlyCohorts(breakdown);
  if (only) return only.atEvent ? empty : positionsJoins(only, scope, then);
  return hasRowsOfCohorts(breakdown) ? sql` ARRAY JOIN ${cohortsOfRow(breakdown, then, scope)} AS cohort_names` : empty;
};

/** The members of cohorts of one kind are joined with the person or the group of a row. */
interface CohortsOfKind {
  readonly groupType: number | null;
  readonly alias: Sql;
  /** The cohorts, and their positions. */
  readonly cohorts: readonly { readonly id: number; readonly at: number }[];
}

const cohortsByKind = ({ cohorts }: CohortPart, scope: QuestionScope): CohortsOfKind[] => {
  const named = cohorts.flatMap((id, at) =>
    id === 'all' ? [] : [{ id, at, groupType: cohortNamed(scope.cohorts, id).groupType }],
  );
  return [...new Set(named.map(({ groupType }) => groupType))].map((groupType) => ({
    groupType,
    alias: groupType === null ? sql`bc` : identifier(`bc_${groupType}`),
    cohorts: named.filter((cohort) => cohort.groupType === groupType),
  }));
};

const positionsJoins = (part: CohortPart, scope: QuestionScope, then: ActorsThen): Sql =>
  join(
    cohortsByKind(part, scope).map(({ groupType, alias, cohorts }) => {
      const members = cohorts.map(
        ({ id, at }) =>
          sql`SELECT actor, ${positionOfCohort(at)} AS place FROM ${membersOf(scope.cohorts, id, scope.projectId)}`,
      );
      return sql` GLOBAL ANY LEFT JOIN (
    SELECT actor, groupUniqArray(place) AS places FROM (${join(members, sql` UNION ALL `)}) GROUP BY actor
  ) AS ${alias} ON ${alias}.actor = ${then.actor(groupType)}`;
    }),
    empty,
  );

const positionOfCohort = (at: number): Sql => sql`toUInt32(${unsigned(at + 1)})`;

/** The positions of all cohorts of a row, one row for each. */
const positionsOfRow = (part: CohortPart, scope: QuestionScope, moment: Sql): Sql => {
  const { cohorts, atEvent } = part;
  if (atEvent) {
    const positions = cohorts.map((cohort, at) =>
      cohort === 'all'
        ? sql`[${positionOfCohort(at)}]`
        : sql`if(${wasMember(cohort, moment)}, [${positionOfCohort(at)}], [])`,
    );
    return sql`arrayJoin(arrayConcat(${join(positions)}))`;
  }
  const ofEveryone = cohorts.flatMap((cohort, at) => (cohort === 'all' ? [positionOfCohort(at)] : []));
  const lists = [
    ...(ofEveryone.length === 0 ? [] : [sql`[${join(ofEveryone)}]`]),
    ...cohortsByKind(part, scope).map(({ alias }) => sql`${alias}.places`),
  ];
  return lists.length === 1 && lists[0] ? sql`arrayJoin(${lists[0]})` : sql`arrayJoin(arrayConcat(${join(lists)}))`;
};

/**
 * The position of the breakdown value; null without a split. Values are read from `key`, cohorts from the rows of `valuesJoin`
 * or, at the moment of the event, from histories.
 */
export const positionSql = (
  { values, scope }: { readonly values: TrendsValues; readonly scope: QuestionScope },
  key: Sql | null,
  moment: Sql,
): Sql | null => {
  if (values.kind === 'none') return null;
  if (values.kind === 'cohort') return positionsOfRow(values.part, scope, moment);
  return key && values.keys.length > 0 ? positionOfKey(key, values.keys) : null;
};

/** True if a row with this key has the selected value; in a breakdown by cohort alone, if the actor is in the cohort. */
export const hasValue = (
  { breakdown, values, scope }: { breakdown: Breakdown; values: TrendsValues; scope: QuestionScope },
  selected: readonly string[],
  { key, ...then }: ActorsThen & { readonly key: Sql | null },
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
