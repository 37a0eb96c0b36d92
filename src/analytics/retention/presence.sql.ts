import { type TimeRange } from '../../platform/time/range.js';
import { filterSql } from '../../filters/compile/compile.sql.js';
import { everything } from '../../filters/reading/filter.js';
import {
  type Sql,
  bucketIndex,
  empty,
  instant,
  join,
  list,
  numeral,
  sql,
  text,
  unsigned,
} from '../../platform/clickhouse/sql.js';
import { cohortParts, otherValue, propertyParts, type Breakdown } from '../shared/breakdown.js';
import { type BreakdownRows } from '../shared/breakdown-bins.js';
import { breakdownJoin, breakdownTexts, cohortsOfRow, partsInOrder } from '../shared/breakdown.sql.js';
import { type Entity, areNamesOnly, eventNames, matchesAny, matchesEntity } from '../shared/entity.js';
import { intervalSet } from '../shared/interval-set.sql.js';
import { eventSource, questionFilterScope, type QuestionScope } from '../shared/question-scopes.js';
import { type RetentionQuery } from './retention.query.js';
import { earliestStorable } from '../../platform/time/dates.js';

/** The values of the breakdown that the answer has; with a rest, all other values are "Other". */
export interface AnsweredValues {
  readonly known: readonly (readonly string[])[];
  readonly hasRest: boolean;
}

export const everyValue: AnsweredValues = { known: [], hasRest: false };

/**
 * Each actor with the intervals in which it began and the intervals in which it was seen again. With a breakdown there is a row for
 * each `value` of the events of the actor, made of the events that have the value; but the first event ever of an actor has the value
 * of all its events.
 */
export const presence = (q: RetentionQuery, scope: QuestionScope, values: AnsweredValues): Sql => {
  const { buckets, breakdown } = q;
  const [from = buckets.end] = buckets.starts;
  const events = eventsOf(q, scope, { from, to: new Date(buckets.end.getTime() - 1) }, values);
  if (q.windowMs !== null) return sinceBeginning(q, q.windowMs, events, from);
  const gathered = q.minimumOccurrences > 1 ? oftenEnough(q, events, from) : everyTime(q, events, from);
  if (breakdown === null || !isByFirst(q)) return gathered;
  const texts = propertyParts(breakdown).map((_, at) => sql`first_texts[${numeral(at + 1)}]`);
  const value = valueOf({ breakdown, texts, actor: sql`actor` }, scope, values);
  return sql`SELECT actor, begun, seen, ${value} AS value FROM (${gathered})`;
};

/** True if the first event ever of an actor decides about the value of all its events. */
const isByFirst = ({ start, breakdown }: RetentionQuery): boolean =>
  start === 'first_ever_occurrence' && breakdown !== null;

interface Valued {
  readonly breakdown: Breakdown;
  /** The texts of the properties. */
  readonly texts: readonly Sql[];
  readonly actor: Sql;
}

/** The value of a row, which becomes several rows if the actor is in several of the cohorts. */
const valueOf = ({ breakdown, texts, actor }: Valued, scope: QuestionScope, values: AnsweredValues): Sql => {
  const parts = partsInOrder(breakdown, texts, (at) => sql`cohorts[${numeral(at + 1)}]`);
  const value = answered(sql`[${join(parts)}]`, values);
  if (cohortParts(breakdown).length === 0) return value;
  const combinations = cohortsOfRow(breakdown, { actor: () => actor, at: sql`at` }, scope);
  return sql`arrayJoin(arrayDistinct(arrayMap(cohorts -> ${value}, ${combinations})))`;
};

const answered = (value: Sql, { known, hasRest }: AnsweredValues): Sql => {
  if (!hasRest) return value;
  const values = sql`[${join(known.map((one) => sql`${list(text, one)}`))}]::Array(Array(String))`;
  return sql`if(has(${values}, ${value}), ${value}, ${list(text, otherValue)})`;
};

/** The FROM and WHERE clauses that read the events up to the end of a range. */
const sourceOf = (
  { target, returning, filter, start, breakdown }: RetentionQuery,
  scope: QuestionScope,
  { from, to }: TimeRange,
) => {
  const rows = eventSource(scope, {
    range: start === 'recurring' ? { from, to } : { from: earliestStorable, to },
    names: eventNames([target, returning]),
    // The first event of a name counts even if it fails the filters.
    filter: start === 'first_ever_occurrence' ? everything : filter,
  });
  return { ...rows, from: sql`${rows.from}${breakdownJoin(breakdown, scope)}` };
};

/** Selects the events that the question reads; a histogram computes the bounds of its bins from their numbers. */
export const retentionRows = (q: RetentionQuery, scope: QuestionScope): BreakdownRows => {
  const { buckets, target, returning } = q;
  const [start = buckets.end] = buckets.starts;
  const { from, where } = sourceOf(q, scope, { from: start, to: new Date(buckets.end.getTime() - 1) });
  const matches = matchesAny([target, returning], scope);
  return { from, where: matches === null ? where : sql`${where} AND ${matches}` };
};

/** The events that count, and whether each is a target event or a returning event. */
const eventsOf = (q: RetentionQuery, scope: QuestionScope, range: TimeRange, values: AnsweredValues): Sql => {
  const { target, returning, filter, start: beginning, breakdown } = q;
  const isEver = beginning === 'first_ever_occurrence';
  const rows = sourceOf(q, scope, range);
  const passes = (entity: Entity): Sql =>
    isEver
      ? sql`(${matchesEntity(entity, scope)} AND ${filterSql(filter, questionFilterScope(scope))})`
      : matchesEntity(entity, scope);
  const isNamed = isEver ? sql`, ${hasNameOf(target)} AS is_named` : empty;
  const texts = breakdown === null ? [] : breakdownTexts(breakdown, scope);
  const split =
    breakdown === null
      ? empty
      : isByFirst(q)
        ? sql`, [${join(texts)}]::Array(String) AS texts`
        : sql`, ${valueOf({ breakdown, texts, actor: rows.actor }, scope, values)} AS value`;
  return sql`
    SELECT ${rows.actor} AS actor, e.timestamp AS at, ${passes(target)} AS is_target, ${passes(returning)} AS is_returning${isNamed}${split}
    FROM ${rows.from} WHERE ${rows.where}${relevant(q, range.from)}`;
};

/** The columns by which events are gathered. */
const groupedBy = (q: RetentionQuery): Sql => (q.breakdown === null || isByFirst(q) ? sql`actor` : sql`actor, value`);

/** True if the event has a name of the entity, whatever its filters. */
const hasNameOf = (entity: Entity): Sql => {
  const names = eventNames([entity]);
  return names === null ? sql`true` : sql`(e.event IN (${join(names.map((name) => text(name)))}))`;
};

const relevant = ({ target, returning, start: beginning }: RetentionQuery, from: Date): Sql => {
  const begins = { recurring: null, first_time: sql`is_target`, first_ever_occurrence: sql`is_named` }[beginning];
  if (begins !== null) return sql` AND (${begins} OR (is_returning AND e.timestamp >= ${instant(from)}))`;
  return areNamesOnly([target, returning]) ? empty : sql` AND (is_target OR is_returning)`;
};

/** True if the target entity and the returning entity are the same. */
const isSame = ({ target, returning }: RetentionQuery): boolean =>
  JSON.stringify(target.parts) === JSON.stringify(returning.parts);

const everyTime = (q: RetentionQuery, events: Sql, from: Date): Sql => {
  const set = intervalSet(q.buckets.starts.length);
  const index = bucketIndex(q.buckets, sql`at`);
  const by = groupedBy(q);
  if (q.start === 'recurring' && isSame(q))
    return sql`SELECT ${by}, ${set.gather(index, null)} AS begun, begun AS seen FROM (${events}) GROUP BY ${by}`;
  const isFirst = q.start === 'first_time' ? empty : sql` AND minIf(at, is_target) = minIf(at, is_named)`;
  const [started, seen] =
    q.start === 'recurring'
      ? [set.gather(index, sql`is_target`), set.gather(index, sql`is_returning`)]
      : [
          firstOnly(q, sql`minIf(at, is_target)`, sql`countIf(is_target) > 0${isFirst}`, from),
          set.gather(index, sql`is_returning AND at >= ${instant(from)}`),
        ];
  const first = isByFirst(q) ? sql`, argMinIf(texts, (at, texts), is_target) AS first_texts` : empty;
  return sql`SELECT ${by}, ${started} AS begun, ${seen} AS seen${first} FROM (${events}) GROUP BY ${by}`;
};

const oftenEnough = (q: RetentionQuery, events: Sql, from: Date): Sql => {
  const set = intervalSet(q.buckets.starts.length);
  const enough = unsigned(q.minimumOccurrences);
  const isIn = sql`at >= ${instant(from)}`;
  const index = sql`if(${isIn}, ${bucketIndex(q.buckets, sql`at`)}, -1)`;
  const isEver = q.start === 'first_ever_occurrence';
  const isFirst = isEver ? sql` AND min(first_target) = min(first_named)` : empty;
  const started =
    q.start === 'recurring'
      ? set.gather(sql`place`, sql`targets > 0`)
      : firstOnly(q, sql`min(first_target)`, sql`sum(targets) > 0${isFirst}`, from);
  const by = groupedBy(q);
  const [inner, first] = isByFirst(q)
    ? [
        sql`, argMinIf(texts, (at, texts), is_target) AS their_texts`,
        sql`, argMinIf(their_texts, (first_target, their_texts), targets > 0) AS first_texts`,
      ]
    : [empty, empty];
  return sql`
    SELECT ${by}, ${started} AS begun, ${set.gather(sql`place`, sql`place >= 0 AND returns >= ${enough}`)} AS seen${first}
    FROM (
      SELECT ${by}, ${index} AS place, countIf(is_target) AS targets, countIf(is_returning) AS returns,
        minOrNullIf(at, is_target) AS first_target${isEver ? sql`, minOrNullIf(at, is_named) AS first_named` : empty}${inner}
      FROM (${events}) GROUP BY ${by}, place)
    GROUP BY ${by}`;
};

/** Each actor with the interval of its first beginning alone, and the windows after that moment in which it was seen again. */
const sinceBeginning = (q: RetentionQuery, windowMs: number, events: Sql, from: Date): Sql => {
  const count = q.buckets.starts.length;
  const isFirst = q.start === 'first_ever_occurrence' ? sql` AND minIf(at, is_target) = minIf(at, is_named)` : empty;
  const elapsed = sql`(toUnixTimestamp64Milli(at) - toUnixTimestamp64Milli(begins))`;
  const place = sql`(${bucketIndex(q.buckets, sql`begins`)} + intDiv(${elapsed}, ${unsigned(windowMs)}))`;
  const places = sql`arrayFilter(place -> place >= 0 AND place < ${unsigned(count)}, arrayMap(at -> ${place}, arrayFilter(at -> at >= begins, returns)))`;
  return sql`
    SELECT actor, ${firstOnly(q, sql`begins`, sql`exists`, from)} AS begun, ${intervalSet(count).of(places)} AS seen
    FROM (
      SELECT actor, minIf(at, is_target) AS begins, countIf(is_target) > 0${isFirst} AS exists, groupUniqArrayIf(at, is_returning) AS returns
      FROM (${events}) GROUP BY actor)`;
};

/** A set with the interval of the first time, or an empty set if the first time is before the intervals. */
const firstOnly = ({ buckets }: RetentionQuery, first: Sql, exists: Sql, from: Date): Sql => {
  const index = bucketIndex(buckets, sql`assumeNotNull(${first})`);
  const isIn = sql`${exists} AND assumeNotNull(${first}) >= ${instant(from)}`;
  return buckets.starts.length <= 64
    ? sql`if(${isIn}, bitShiftLeft(toUInt64(1), toUInt8(${index})), 0)`
    : sql`if(${isIn}, [toUInt32(${index})], [])`;
};
