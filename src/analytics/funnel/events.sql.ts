import { type Sql, empty, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { cohortParts, isOfActor, propertyParts, type Breakdown, type PropertyPart } from '../shared/breakdown.js';
import { type BreakdownRows } from '../shared/breakdown-bins.js';
import { breakdownJoin, breakdownTexts, cohortsOfRow, partsInOrder } from '../shared/breakdown.sql.js';
import { areNamesOnly, eventNames, matchesAny } from '../shared/entity.js';
import { eventSource, expressionOf, type EventSource, type QuestionScope } from '../shared/question-scopes.js';
import { type Attribution } from './funnel.query.js';
import {
  entitiesOf,
  hasAny,
  isDisjoint,
  eventMask,
  neverEvent,
  packedEvent,
  stepBit,
  stepsMask,
  timeOf,
  type Layout,
} from './layout.sql.js';
import { byMoment, needsMoments } from './moments.sql.js';

export interface Split {
  readonly breakdown: Breakdown;
  readonly attribution: Attribution;
}

/**
 * The packed events of each actor as a sorted array `events`, which ends with the never event. With a split there is a row for each
 * `value` of the breakdown that the actor counts for. `start` has the bits of the steps that an attempt may begin with.
 */
export const actorEvents = (layout: Layout, split: Split | null, scope: QuestionScope): Sql => {
  const sorted = split === null ? plain(layout, scope) : splitEvents(layout, split, scope);
  // Equal events of one moment become one event, unless steps may share events or the funnel is strict, where each event counts.
  const { orderType } = layout.definition;
  const events = orderType !== 'strict' && isDisjoint(layout.definition) ? sql`arrayCompact(found)` : sql`found`;
  const closed = sql`SELECT * EXCEPT (found), arrayPushBack(${events}, ${neverEvent(layout)}) AS events FROM (${sorted})`;
  return needsMoments(layout) ? byMoment(layout, closed) : closed;
};

/** The same events with the values of the expression as actors, if the funnel counts them. */
const counted = ({ definition: { aggregate } }: Layout, rows: EventSource, scope: QuestionScope): EventSource => {
  if (aggregate === null) return rows;
  const actor = expressionOf(scope, 'value', aggregate);
  return { ...rows, actor, where: sql`${rows.where} AND notEmpty(${actor})` };
};

/** True if all events of an actor have the same value. */
const isFixed = ({ definition: { aggregate } }: Layout, part: PropertyPart, scope: QuestionScope): boolean =>
  aggregate === null && isOfActor(part, scope.groupType);

/** The FROM and WHERE clauses that read the events, and the bits of each event. */
const rows = (layout: Layout, split: Split | null, scope: QuestionScope) => {
  const { filter, orderType } = layout.definition;
  const entities = entitiesOf(layout.definition);
  const names = orderType === 'strict' ? null : eventNames(entities);
  const { from, where, actor } = counted(layout, eventSource(scope, { range: layout.range, names, filter }), scope);
  const relevant = orderType === 'strict' || areNamesOnly(entities) ? empty : sql` AND mask > 0`;
  const joined = split === null ? empty : breakdownJoin(split.breakdown, scope);
  return {
    actor,
    mask: sql`${eventMask(layout, scope)} AS mask`,
    from: sql`FROM ${from}${joined} WHERE ${where}${relevant}`,
  };
};

/** Selects the events that the funnel reads; a histogram computes the bounds of its bins from their numbers. */
export const funnelRows = (layout: Layout, breakdown: Breakdown, scope: QuestionScope): BreakdownRows => {
  const { filter, orderType } = layout.definition;
  const entities = orderType === 'strict' ? null : entitiesOf(layout.definition);
  const names = entities === null ? null : eventNames(entities);
  const { from, where } = counted(layout, eventSource(scope, { range: layout.range, names, filter }), scope);
  const matches = entities === null ? null : matchesAny(entities, scope);
  return {
    from: sql`${from}${breakdownJoin(breakdown, scope)}`,
    where: matches === null ? where : sql`${where} AND ${matches}`,
  };
};

/** Drops actors without an attempt: those who never took the first step of an ordered or strict funnel. */
const couldStart = (layout: Layout, events = sql`found`, bits = sql`event`): Sql =>
  layout.definition.orderType === 'unordered'
    ? empty
    : sql` HAVING arrayExists(event -> ${hasAny(bits, stepBit(layout, 0))}, ${events})`;

const startBits = (layout: Layout): Sql =>
  numeral(layout.definition.orderType === 'unordered' ? stepsMask(layout) : stepBit(layout, 0));

const plain = (layout: Layout, scope: QuestionScope): Sql => {
  const { actor, mask, from } = rows(layout, null, scope);
  return sql`
    SELECT actor, arraySort(groupArray(event)) AS found, ${startBits(layout)} AS start
    FROM (SELECT ${actor} AS actor, ${mask}, ${packedEvent(layout, sql`mask`)} AS event ${from})
    GROUP BY actor${couldStart(layout)}`;
};

const splitEvents = (layout: Layout, split: Split, scope: QuestionScope): Sql => {
  const { breakdown } = split;
  const byProperty = propertyParts(breakdown).length === 0 ? plain(layout, scope) : byProperties(layout, split, scope);
  if (cohortParts(breakdown).length === 0) return byProperty;
  const properties = propertyParts(breakdown).map((_, at) => sql`b.value[${numeral(at + 1)}]`);
  const parts = partsInOrder(breakdown, properties, (at) => sql`cohorts[${numeral(at + 1)}]`);
  const combinations = cohortsOfRow(breakdown, { actor: () => sql`b.actor`, at: sql`b.start` }, scope);
  return sql`
    SELECT b.actor AS actor, arrayJoin(arrayMap(cohorts -> [${join(parts)}], ${combinations})) AS value, b.found AS found, b.start AS start
    FROM (${byProperty}) AS b`;
};

/** Splits by the properties of the breakdown. */
const byProperties = (layout: Layout, split: Split, scope: QuestionScope): Sql => {
  const { breakdown, attribution } = split;
  const { actor, mask, from } = rows(layout, split, scope);
  const withColumn = (column: Sql) =>
    sql`(SELECT ${actor} AS actor, ${mask}, ${packedEvent(layout, sql`mask`)} AS event, ${column} ${from})`;
  const texts = breakdownTexts(breakdown, scope);
  const valued = withColumn(sql`[${join(texts)}] AS texts`);
  if (propertyParts(breakdown).every((part) => isFixed(layout, part, scope))) return ofTheActor(layout, valued);
  switch (attribution.type) {
    case 'first_touch':
    case 'last_touch':
      return texts.length === 1
        ? ofTheTouchedText(layout, attribution.type, withColumn(sql`${join(texts)} AS text`))
        : ofTheTouch(layout, attribution.type, { breakdown, scope }, valued);
    case 'all_events':
      return sql`
        SELECT actor, texts AS value, arraySort(groupArray(event)) AS found, ${startBits(layout)} AS start
        FROM ${valued}
        GROUP BY actor, value${couldStart(layout)}`;
    case 'step':
      return ofTheStep(layout, attribution.step, valued);
  }
};

/** Splits by values that all events of an actor share, the properties of the person or group that it is. */
const ofTheActor = (layout: Layout, valued: Sql): Sql => sql`
  SELECT actor, any(texts) AS value, arraySort(groupArray(event)) AS found, ${startBits(layout)} AS start
  FROM ${valued}
  GROUP BY actor${couldStart(layout)}`;

/**
 * The values of the first or last of the funnel's events that has one of the event properties; within one moment the smallest or the
 * largest. Without such an event only properties of the actor have a value.
 */
const ofTheTouch = (
  layout: Layout,
  type: 'first_touch' | 'last_touch',
  { breakdown, scope }: { readonly breakdown: Breakdown; readonly scope: QuestionScope },
  valued: Sql,
): Sql => {
  const parts = propertyParts(breakdown).map((part, at) => ({
    isFixed: isFixed(layout, part, scope),
    number: numeral(at + 1),
  }));
  const isThere = parts.flatMap(({ isFixed, number }) => (isFixed ? [] : [sql`texts[${number}] != ''`]));
  const counts = sql`${hasAny(sql`mask`, stepsMask(layout))} AND (${join(isThere, sql` OR `)})`;
  const touch =
    type === 'first_touch'
      ? sql`min((NOT touches, ${timeOf(layout, sql`event`)}, texts))`
      : sql`max((touches, ${timeOf(layout, sql`event`)}, texts))`;
  const touched = type === 'first_touch' ? sql`NOT touch.1` : sql`touch.1`;
  const untouched = join(parts.map(({ isFixed, number }) => (isFixed ? sql`touch.3[${number}]` : sql`''`)));
  return sql`
    SELECT actor, if(${touched}, touch.3, [${untouched}]) AS value, found, start
    FROM (
      SELECT actor, ${touch} AS touch, arraySort(groupArray(event)) AS found, ${startBits(layout)} AS start
      FROM (SELECT *, ${counts} AS touches FROM ${valued})
      GROUP BY actor${couldStart(layout)})`;
};

/**
 * Does the same as `ofTheTouch` for a single key: time and value are packed into one text that sorts like the pair, which
 * takes a third of the time.
 */
const ofTheTouchedText = (layout: Layout, type: 'first_touch' | 'last_touch', valued: Sql): Sql => {
  const counts = sql`${hasAny(sql`mask`, stepsMask(layout))} AND text != ''`;
  const dated = sql`concat(reinterpretAsFixedString(byteSwap(${timeOf(layout, sql`event`)})), text)`;
  const touch = type === 'first_touch' ? sql`minIf(${dated}, ${counts})` : sql`maxIf(${dated}, ${counts})`;
  return sql`
    SELECT actor, [substring(${touch}, 9)] AS value, arraySort(groupArray(event)) AS found, ${startBits(layout)} AS start
    FROM ${valued}
    GROUP BY actor${couldStart(layout)}`;
};

/**
 * Builds, for each value of the events of the attributed step, the funnel in which only those events convert the step. An unordered funnel
 * may begin with any step; the attributed step is counted from there and continues with the first step after the last.
 */
const ofTheStep = (layout: Layout, attributedStep: number, valued: Sql): Sql => {
  const { steps, orderType } = layout.definition;
  const starts = orderType === 'unordered' ? steps.map((_, at) => at) : [0];
  const attributed = starts.map((start) => ({ start, bit: stepBit(layout, (start + attributedStep) % steps.length) }));
  const combinations = attributed.map(
    ({ start, bit }) => sql`arrayMap(pair -> (${numeral(stepBit(layout, start))}, ${numeral(bit)}, pair.2),
      arrayFilter(pair -> ${hasAny(sql`pair.1`, bit)}, pairs))`,
  );
  return sql`
    SELECT actor, combination.1 AS start, combination.3 AS value, arraySort(arrayMap(
        pair -> bitXor(pair.1, if(${isStart} AND pair.2 != combination.3, combination.2, 0)), pairs)) AS found
    FROM (
      SELECT actor, groupArray((event, texts)) AS pairs FROM ${valued}
      GROUP BY actor${couldStart(layout, sql`pairs`, sql`event.1`)})
    ARRAY JOIN arrayDistinct(arrayConcat(${join(combinations)})) AS combination`;
};

const isStart = sql`bitAnd(pair.1, combination.2) > 0`;
