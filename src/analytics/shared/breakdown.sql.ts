import { cohortNamed, groupOfType, membersOf } from '../../filters/compile/compile.sql.js';
import { resolvedActor } from '../../kernel/projection/actors.sql.js';
import { wasMember } from '../../kernel/memberships/membership-history.sql.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, identifier, join, list, real, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { groupKey } from '../../filters/reading/filter.js';
import { binLabels } from './bins.js';
import { cohortParts, propertyParts, type Breakdown, type CohortPart, type PropertyPart } from './breakdown.js';
import { finite, numberUnder } from './number.sql.js';
import { expressionOf, type QuestionScope } from './question-scopes.js';

const valueIn = (properties: Sql, part: PropertyPart): Sql =>
  valueOf(sql`ifNull(${propertyText(properties, part.key)}, '')`, numberUnder(properties, part.key), part);

/** The value of a part as text, '' for a missing one; the number itself as long as the bounds of its bins are unknown. */
const valueOf = (value: Sql, number: Sql, { normalizesUrl, bins }: PropertyPart): Sql => {
  if (typeof bins === 'number') return number;
  if (bins !== null) return binOf(number, bins);
  return normalizesUrl ? normalized(value) : value;
};

const valueWritten = (part: PropertyPart, scope: QuestionScope): Sql => {
  const value = expressionOf(scope, 'value', part.key);
  return valueOf(value, finite(sql`toFloat64OrNull(${value})`), part);
};

const normalized = (value: Sql): Sql => {
  const trimmed = sql`trim(TRAILING '/?#' FROM ${value})`;
  return sql`multiIf(notEmpty(${trimmed}), ${trimmed}, notEmpty(${value}), '/', '')`;
};

/** The name of the bin of a number. No number is outside of the bounds; the last bound has the name of the last bin, too. */
const binOf = (number: Sql, bounds: readonly number[]): Sql => {
  const labels = binLabels(bounds);
  const [last] = labels.slice(-1);
  if (last === undefined) return sql`''`;
  const [edges, names] = [list(real, bounds), list(text, [...labels, last])];
  return sql`if(isNull(${number}), '', ${names}[indexOf(${edges}, roundDown(assumeNotNull(${number}), ${edges}))])`;
};

const column = (at: number): Sql => identifier(`value_${at}`);

/** Joins the events `e` with the properties of their persons and groups that the breakdown needs. */
export const breakdownJoin = (breakdown: Breakdown | null, scope: QuestionScope): Sql => {
  if (breakdown === null) return empty;
  const parts = propertyParts(breakdown);
  const valuesOf = (isRead: (part: PropertyPart) => boolean): Sql[] =>
    parts.flatMap((part, at) => {
      const value = part.source === 'group' && part.key === groupKey ? sql`key` : valueIn(sql`properties`, part);
      return isRead(part) ? [sql`${value} AS ${column(at)}`] : [];
    });
  const project = sql`project_id = ${unsigned(scope.projectId)}`;
  const ofPersons = valuesOf(({ source }) => source === 'person');
  const persons = sql` GLOBAL ANY LEFT JOIN (
    SELECT id, ${join(ofPersons)} FROM persons FINAL WHERE ${project}
  ) AS bp ON bp.id = ${resolvedActor(scope)}`;
  const types = new Set(parts.flatMap(({ groupType }) => groupType ?? []));
  const groups = [...types].map(
    (type) => sql` GLOBAL ANY LEFT JOIN (
    SELECT actor, ${join(valuesOf(({ groupType }) => groupType === type))} FROM groups FINAL
    WHERE ${project} AND group_type_index = ${unsigned(type)}
  ) AS ${groupRows(type)} ON ${groupRows(type)}.actor = ${groupOfType(sql`e.groups`, type)}`,
  );
  return join([ofPersons.length === 0 ? empty : persons, ...groups], empty);
};

/** The rows of the groups of a type. */
const groupRows = (type: number): Sql => identifier(`bg_${type}`);

/** The values of an event `e`, one for each part that is a property. */
export const breakdownTexts = (breakdown: Breakdown, scope: QuestionScope): Sql[] =>
  propertyParts(breakdown).map((part, at) => {
    if (part.source === 'event') return valueIn(sql`e.properties`, part);
    if (part.source === 'hogql') return valueWritten(part, scope);
    return sql`${part.groupType === undefined ? sql`bp` : groupRows(part.groupType)}.${column(at)}`;
  });

/** Puts the texts of properties and of cohorts into the order of the parts. */
export const partsInOrder = (breakdown: Breakdown, properties: readonly Sql[], cohorts: (at: number) => Sql): Sql[] => {
  let [property, cohort] = [0, 0];
  return breakdown.parts.map((part) =>
    part.kind === 'cohort' ? cohorts(cohort++) : (properties[property++] ?? sql`''`),
  );
};

/** The actors of a row, and the moment of its event. */
export interface ActorsThen {
  /** The person or, for the index of a type, the group. */
  readonly actor: (groupType: number | null) => Sql;
  readonly at: Sql;
}

/** True if the row counts for a cohort of the part. */
export const isMember = (
  cohortId: number,
  { atEvent }: CohortPart,
  then: ActorsThen,
  { cohorts, projectId }: QuestionScope,
): Sql =>
  atEvent
    ? wasMember(cohortId, then.at)
    : sql`${then.actor(cohortNamed(cohorts, cohortId).groupType)} GLOBAL IN ${membersOf(cohorts, cohortId, projectId)}`;

const combinationsOf = ([first, ...others]: readonly CohortPart[]): (number | 'all')[][] =>
  first === undefined
    ? [[]]
    : first.cohorts.flatMap((cohort) => combinationsOf(others).map((rest) => [cohort, ...rest]));

/** The cohorts of a row: a list for each combination that it counts for, with one text for each part by cohort. */
export const cohortsOfRow = (breakdown: Breakdown, then: ActorsThen, scope: QuestionScope): Sql => {
  const parts = cohortParts(breakdown);
  const lists = combinationsOf(parts).map((cohorts) => {
    const conditions = parts.flatMap((part, at) => {
      const cohort = cohorts[at] ?? 'all';
      return cohort === 'all' ? [] : [isMember(cohort, part, then, scope)];
    });
    const names = sql`[${list(text, cohorts.map(String))}]`;
    return conditions.length === 0 ? names : sql`if(${join(conditions, sql` AND `)}, ${names}, [])`;
  });
  return sql`arrayConcat(${join(lists)})`;
};
