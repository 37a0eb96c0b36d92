import { internalEvents } from '../../kernel/event-log/internal-events.js';
import { type Filter, isEverything } from '../../filters/reading/filter.js';
import { filterSql } from '../../filters/compile/compile.sql.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, boolean, empty, join, list, real, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type Entity, eventNames, matchesEntity } from '../shared/entity.js';
import { eventSource, questionFilterScope, type QuestionScope } from '../shared/question-scopes.js';
import { journeysSql } from '../funnel/funnel.sql.js';
import { type Layout } from '../funnel/layout.sql.js';

/** At most this many property keys are compared: the most common ones. */
const maxKeys = 200;
const maxRowsOfAKind = 50;

export const totalsSql = (layout: Layout, scope: QuestionScope): Sql =>
  sql`SELECT countIf(converted) AS success, countIf(NOT converted) AS failure FROM (${journeysSql(layout, scope)})`;

export interface Totals {
  readonly success: number;
  readonly failure: number;
}

/** The events strictly between the ends of each actor's journey. `j` is the row of the journey. */
const onTheWay = (layout: Layout, names: readonly string[] | null, scope: QuestionScope) => {
  const { from, where, actor } = eventSource(scope, { range: layout.range, names, filter: layout.definition.filter });
  const time = sql`toUnixTimestamp64Milli(e.timestamp) - ${layout.begin}`;
  return {
    actor,
    rows: sql`FROM ${from} GLOBAL INNER JOIN (${journeysSql(layout, scope)}) AS j ON j.actor = ${actor}
      WHERE ${where} AND ${time} > toInt64(j.began) AND ${time} < toInt64(j.ended)`,
  };
};

/**
 * Counts the actors of `rows`, converted and not, by `event`, `property` and `value`. Keeps the strongest correlations with
 * success and the strongest with failure.
 */
const correlated = (rows: Sql, { success, failure }: Totals, atLeast: number): Sql => {
  // One division of whole numbers, so that equal frequencies have a ratio of exactly 1 and not a little more.
  const above = sql`(success_count + 1) * (${unsigned(failure)} - failure_count + 1)`;
  const below = sql`(${unsigned(success)} - success_count + 1) * (failure_count + 1)`;
  return sql`
    SELECT event, property, value,
      uniqExactIf(actor, converted) AS success_count, uniqExactIf(actor, NOT converted) AS failure_count,
      (${above}) / (${below}) AS odds_ratio
    FROM (${rows})
    GROUP BY event, property, value
    HAVING success_count + failure_count >= ${real(atLeast)}
    ORDER BY odds_ratio > 1 DESC, if(odds_ratio > 1, -odds_ratio, odds_ratio),
      success_count + failure_count DESC, event, property, value
    LIMIT ${unsigned(maxRowsOfAKind)} BY odds_ratio > 1`;
};

/** The least number of persons for a row: 25, or 2 % of the persons of a small funnel. */
const enoughOf = ({ success, failure }: Totals): number => Math.min(25, 0.02 * (success + failure));

const isNoneOf = (names: readonly string[]): Sql =>
  names.length === 0 ? empty : sql` AND e.event NOT IN (${join(names.map((name) => text(name)))})`;

export const correlatedEventsSql = (
  layout: Layout,
  exclude: readonly string[],
  totals: Totals,
  scope: QuestionScope,
): Sql => {
  const { actor, rows } = onTheWay(layout, null, scope);
  const own = layout.definition.steps.flatMap(({ parts }) => parts.map(({ event }) => event));
  const hidden = new Set([...own.filter((name) => name !== null), ...internalEvents, ...exclude]);
  const events = sql`
    SELECT ${actor} AS actor, j.converted AS converted, toString(e.event) AS event, '' AS property, '' AS value
    ${rows}${isNoneOf([...hidden])}`;
  return correlated(events, totals, enoughOf(totals));
};

const commonest = (paths: Sql): Sql =>
  sql`SELECT path FROM (${paths}) GROUP BY path ORDER BY count() DESC, path LIMIT ${unsigned(maxKeys)}`;

/** The property paths of the actors of the funnel. */
export const personKeysSql = (layout: Layout, scope: QuestionScope): Sql =>
  commonest(sql`
    SELECT arrayJoin(JSONAllPaths(properties)) AS path FROM (${actorsSql(scope, sql`properties`)})
    WHERE actor GLOBAL IN (SELECT actor FROM (${journeysSql(layout, scope)}))`);

/** The rows of all persons or groups that the question may count. */
const actorsSql = ({ projectId, groupType }: QuestionScope, columns: Sql): Sql =>
  groupType === null
    ? sql`SELECT id AS actor, ${columns} FROM persons FINAL WHERE project_id = ${unsigned(projectId)}`
    : sql`SELECT actor, ${columns} FROM groups FINAL
      WHERE project_id = ${unsigned(projectId)} AND group_type_index = ${unsigned(groupType)}`;

/** The property paths of the events with these names that are on the way. */
export const eventKeysSql = (layout: Layout, events: readonly string[], scope: QuestionScope): Sql =>
  commonest(sql`SELECT arrayJoin(JSONAllPaths(e.properties)) AS path ${onTheWay(layout, events, scope).rows}`);

const valuesOf = (properties: Sql, keys: readonly string[]): Sql =>
  sql`[${join(keys.map((key) => sql`ifNull(${propertyText(properties, key)}, '')`))}]`;

export const correlatedPropertiesSql = (
  layout: Layout,
  { keys, missing }: { readonly keys: readonly string[]; readonly missing: boolean },
  totals: Totals,
  scope: QuestionScope,
): Sql => {
  const actors = actorsSql(scope, sql`${valuesOf(sql`properties`, keys)} AS found`);
  const pairs = sql`arrayJoin(arrayZip(${list(text, keys)}, arrayResize(p.found, ${unsigned(keys.length)}, '')))`;
  const rows = sql`
    SELECT actor, converted, '' AS event, pair.1 AS property, pair.2 AS value
    FROM (
      SELECT j.actor AS actor, j.converted AS converted, ${pairs} AS pair
      FROM (${journeysSql(layout, scope)}) AS j GLOBAL ANY LEFT JOIN (${actors}) AS p ON p.actor = j.actor)
    ${missing ? empty : sql`WHERE value != ''`}`;
  return correlated(rows, totals, enoughOf(totals));
};

export const correlatedEventPropertiesSql = (
  layout: Layout,
  { events, keys }: { readonly events: readonly string[]; readonly keys: readonly string[] },
  totals: Totals,
  scope: QuestionScope,
): Sql => {
  const { actor, rows } = onTheWay(layout, events, scope);
  const pairs = sql`arrayJoin(arrayZip(${list(text, keys)}, ${valuesOf(sql`e.properties`, keys)}))`;
  const valued = sql`
    SELECT actor, converted, event, pair.1 AS property, pair.2 AS value
    FROM (SELECT ${actor} AS actor, j.converted AS converted, toString(e.event) AS event, ${pairs} AS pair ${rows})
    WHERE value != ''`;
  // A value of one or two persons is noise.
  return correlated(valued, totals, Math.max(3, enoughOf(totals)));
};

/** True if the actor of the row has the properties. */
const isLike = (filter: Filter, scope: QuestionScope): Sql => {
  const { groupType } = scope;
  const actor = sql`actor`;
  // The row is that of an actor, whose group is the actor itself.
  const event = groupType === null ? null : { ...noEvent, groups: sql`map(${unsigned(groupType)}, ${actor})` };
  return filterSql(filter, { ...questionFilterScope(scope), event, actor });
};

const noEvent = { event: sql`''`, timestamp: sql`now64()`, distinctId: sql`''`, properties: sql`'{}'` };

interface CorrelatedPersons {
  readonly entity: Entity | null;
  readonly filter: Filter;
  readonly converted: boolean | null;
}

/** The persons behind a number of the comparison. */
export const correlationActorsSql = (
  layout: Layout,
  { entity, filter, converted }: CorrelatedPersons,
  scope: QuestionScope,
): Sql => {
  const is = converted === null ? sql`true` : sql`converted = ${boolean(converted)}`;
  const like = isEverything(filter) ? empty : sql` AND ${isLike(filter, scope)}`;
  if (entity === null) return sql`SELECT actor FROM (${journeysSql(layout, scope)}) WHERE ${is}${like}`;
  const { actor, rows } = onTheWay(layout, eventNames([entity]), scope);
  return sql`
    SELECT actor FROM (
      SELECT ${actor} AS actor, any(j.converted) AS converted ${rows} AND ${matchesEntity(entity, scope)} GROUP BY actor)
    WHERE ${is}${like}`;
};
