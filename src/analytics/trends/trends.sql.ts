import {
  type Sql,
  bucketIndex,
  empty,
  identifier,
  integer,
  join,
  list,
  real,
  sql,
} from '../../platform/clickhouse/sql.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { matchesEntity } from '../shared/entity.js';
import { finite, numberUnder } from '../shared/number.sql.js';
import { aggregateSql } from './aggregate.sql.js';
import {
  type TrendsValues,
  cohortsJoin,
  hasRowsOfCohorts,
  hasValue,
  keyOfEvent,
  keyOfFirst,
  positionSql,
} from './breakdown.sql.js';
import { type Aggregate, type Maths } from './trends.parameters.js';
import { type Pieces, type TrendsAxis, piecesOf, rangeOfPoints, reachSpans } from './trends.axis.js';
import { type TrendsSeries } from './trends.query.js';
import {
  type TrendsContext,
  firstTime,
  firstTimesWithCohorts,
  firstTimesWithHistories,
  rowsOfSeries,
} from './trends.rows.sql.js';
import { onlyCohorts } from '../shared/breakdown.js';
import { type ActorsThen } from '../shared/breakdown.sql.js';
import { expressionOf, type QuestionScope } from '../shared/question-scopes.js';
import { type ActorList } from '../shared/actor-lists.sql.js';
import { type TimeRange } from '../../platform/time/range.js';

export interface TrendsNumbers extends TrendsContext {
  readonly values: TrendsValues;
}

interface Column {
  readonly name: Sql;
  readonly of: Sql;
}

const cell = (at: number): Sql => identifier(`n${at}`);

/** The columns by which rows are grouped; none for a single number. */
const columns = (at: Sql | null, place: Sql | null): Column[] => [
  ...(at ? [{ name: sql`at`, of: sql`toUInt16(${at})` }] : []),
  ...(place ? [{ name: sql`place`, of: place }] : []),
];

const selected = (of: readonly Column[]): Sql => join(of.map((column) => sql`${column.of} AS ${column.name}`));

const grouped = (by: readonly Column[]): Sql =>
  by.length === 0 ? empty : sql` GROUP BY ${join(by.map(({ name }) => name))}`;

const pointOf = ({ display, buckets }: TrendsAxis, timestamp: Sql): Sql | null =>
  display === 'total' ? null : bucketIndex(buckets, timestamp);

/** The numbers of events and persons, and aggregates of properties: `n0`, `n1`, … for each point and breakdown value. */
export const eventNumbersSql = (context: TrendsNumbers, series: readonly TrendsSeries[], axis: TrendsAxis): Sql => {
  const { from, where, actor } = rowsOfSeries(context, series, axis.events);
  const by = columns(
    pointOf(axis, sql`e.timestamp`),
    positionSql(context, keyOfEvent(context.breakdown, context.scope), sql`e.timestamp`),
  );
  const cells = series.map((one, at) => ({
    name: cell(at),
    of: eventNumber(
      one,
      { scope: context.scope, actor },
      series.length === 1 ? null : matchesEntity(one, context.scope),
    ),
  }));
  return sql`SELECT ${selected([...by, ...cells])} FROM ${from} WHERE ${where}${grouped(by)}`;
};

type PropertyMath = Extract<Maths, { kind: 'property' }>;

/** The session of an event `e`; NULL for an event without one. */
const session = sql`nullIf(${propertyText(sql`e.properties`, '$session_id')}, '')`;

const numberOf = ({ key, multiplier }: PropertyMath): Sql => {
  const number = numberUnder(sql`e.properties`, key);
  return multiplier === 1 ? number : finite(sql`${number} * ${real(multiplier)}`);
};

const eventNumber = (
  { math }: TrendsSeries,
  { scope, actor }: { readonly scope: QuestionScope; readonly actor: Sql },
  when: Sql | null,
): Sql => {
  // A series with an expression has a statement of its own.
  if (math.kind === 'expression') return expressionOf(scope, 'aggregate', math.text);
  if (math.kind === 'property') return aggregateSql(math.aggregate, numberOf(math), when);
  if (math.kind === 'dau') return when ? sql`uniqExactIf(${actor}, ${when})` : sql`uniqExact(${actor})`;
  if (math.kind === 'session') return when ? sql`uniqExactIf(${session}, ${when})` : sql`uniqExact(${session})`;
  return when ? sql`countIf(${when})` : sql`count()`;
};

/** The columns of `eventNumbersSql` for aggregates of the number of events of each actor with at least one. */
export const actorNumbersSql = (context: TrendsNumbers, series: readonly TrendsSeries[], axis: TrendsAxis): Sql => {
  const { from, where, actor } = rowsOfSeries(context, series, axis.events);
  const by = columns(
    pointOf(axis, sql`e.timestamp`),
    positionSql(context, keyOfEvent(context.breakdown, context.scope), sql`e.timestamp`),
  );
  const own = series.map((one, at) => ({ name: cell(at), of: sql`countIf(${matchesEntity(one, context.scope)})` }));
  const actorColumn = { name: sql`actor`, of: actor };
  const cells = series.map((one, at) => ({
    name: cell(at),
    of: aggregateSql(aggregateOf(one), sql`c.${cell(at)}`, sql`c.${cell(at)} > 0`),
  }));
  const ownColumns = by.map(({ name }) => ({ name, of: sql`c.${name}` }));
  return sql`
    SELECT ${selected([...ownColumns, ...cells])}
    FROM (SELECT ${selected([...by, actorColumn, ...own])} FROM ${from} WHERE ${where}${grouped([...by, actorColumn])}) AS c${grouped(by)}`;
};

const aggregateOf = ({ math }: TrendsSeries): Aggregate => (math.kind === 'perActor' ? math.aggregate : 'avg');

/**
 * The persons active in overlapping time spans, as changes of `n0` from the point before. An actor begins to count at the first span of
 * its first piece, and stops after the last span of a piece, unless its next piece continues from there. Cumulative: it never stops.
 */
export const reachNumbersSql = (
  context: TrendsNumbers,
  series: TrendsSeries,
  pieces: Pieces,
  { cumulative }: { cumulative: boolean },
): Sql => {
  const { from, where, actor } = rowsOfSeries(context, [series], pieces.range);
  const piece = bucketIndex(pieces.buckets, sql`e.timestamp`);
  const by = columns(null, positionSql(context, keyOfEvent(context.breakdown, context.scope), sql`e.timestamp`));
  const [first, last] = [list(integer, pieces.first), list(integer, pieces.last)];
  const gathered = cumulative ? sql`min(${piece})` : allPieces(piece, pieces.first.length);
  const changes = cumulative
    ? sql`(${first}[c.pieces + 1], 1)`
    : sql`arrayJoin(arrayConcat(
        arrayMap((piece, n) -> (greatest(${first}[piece + 1], if(n = 1, 0, ${last}[c.pieces[n - 1] + 1] + 1)), 1),
          c.pieces, arrayEnumerate(c.pieces)),
        arrayMap(piece -> (${last}[piece + 1] + 1, -1), c.pieces)))`;
  const ownColumns = by.map(({ name }) => ({ name, of: sql`d.${name}` }));
  return sql`
    SELECT ${selected([{ name: sql`at`, of: sql`toUInt16(d.change.1)` }, ...ownColumns, { name: cell(0), of: sql`sum(d.change.2)` }])}
    FROM (SELECT ${selected([{ name: sql`change`, of: changes }, ...by.map(({ name }) => ({ name, of: sql`c.${name}` }))])}
      FROM (SELECT ${selected([...by, { name: sql`actor`, of: actor }, { name: sql`pieces`, of: gathered }])}
        FROM ${from} WHERE ${where}${grouped([...by, { name: sql`actor`, of: actor }])}) AS c) AS d
    GROUP BY ${join([sql`at`, ...by.map(({ name }) => name)])}`;
};

/** The pieces of an actor in ascending order: by a bit mask up to 64 pieces, which takes half the time, and by an array beyond. */
const allPieces = (piece: Sql, count: number): Sql =>
  count <= 64
    ? sql`bitPositionsToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(${piece}))))`
    : sql`arraySort(groupUniqArray(toUInt64(${piece})))`;

/** The number of persons at the point of their first event. */
export const firstNumbersSql = (context: TrendsNumbers, series: TrendsSeries, axis: TrendsAxis): Sql => {
  const rows = firstTimesWithCohorts(context, series, axis.events);
  const by = columns(pointOf(axis, sql`f.began`), positionSql(context, keyOfFirst(context.breakdown), firstTime.at));
  // If the breakdown has other parts, too, a person in several cohorts has several rows, and "Other" may stand for some of them.
  const persons = hasRowsOfCohorts(context.breakdown) ? sql`uniqExact(f.actor)` : sql`count()`;
  return sql`SELECT ${selected([...by, { name: cell(0), of: persons }])} FROM ${rows}${grouped(by)}`;
};

interface TrendsPoint {
  readonly series: TrendsSeries;
  readonly axis: TrendsAxis;
  /** Null: all points. */
  readonly point: number | null;
  /** Null: any value. */
  readonly value: readonly string[] | null;
}

/** The time range in which events count for a point; in a running sum it includes the points before. Null if it is empty. */
const timeOf = ({ series: { math }, axis, point }: TrendsPoint, { scope }: TrendsNumbers): TimeRange | null => {
  const from = point === null || axis.display === 'cumulative' ? 0 : point;
  const to = point ?? axis.buckets.starts.length - 1;
  if (math.kind === 'reach')
    return piecesOf(reachSpans(axis, math.days, scope.project).slice(from, to + 1), axis.interval)?.range ?? null;
  return rangeOfPoints(axis, from, to);
};

/** The persons behind a point, each with its contribution. Null if the time spans are empty. */
export const trendsActors = (all: TrendsNumbers, point: TrendsPoint): ActorList | null => {
  // Without a value the events are not split, so that none of them counts twice.
  const context = point.value === null ? { ...all, breakdown: null } : all;
  const time = timeOf(point, context);
  if (time === null) return null;
  const { series, value } = point;
  const order = sql`value`;
  if (series.math.kind === 'first') return { actors: firstActors(context, point, time), order };
  const { from, where, actor, whose } = rowsOfSeries(context, [series], time);
  const key = keyOfEvent(context.breakdown, context.scope);
  const conditions = [where, valueHolds(context, value, { key, actor: whose, at: sql`e.timestamp` })].filter(
    (one) => one !== null,
  );
  const { counted, of } = contribution(series, context.scope);
  if (counted) conditions.push(sql`${counted} IS NOT NULL`);
  // An actor contributes to an expression if its own events make another number than no events.
  const contributes =
    series.math.kind === 'expression'
      ? sql` HAVING isFinite(value) AND value != ifNull((SELECT ${of} FROM ${from} WHERE false), nan)`
      : empty;
  const actors = sql`
    SELECT ${actor} AS actor, ${of} AS value
    FROM ${from} WHERE ${join(conditions, sql` AND `)} GROUP BY actor${contributes}`;
  return { actors, order };
};

/** The contribution `of` an actor. Only events count that have `counted`; null: all events. */
const contribution = (
  { math }: TrendsSeries,
  scope: QuestionScope,
): { readonly counted: Sql | null; readonly of: Sql } => {
  if (math.kind === 'session') return { counted: session, of: sql`uniqExact(${session})` };
  if (math.kind === 'expression') return { counted: null, of: expressionOf(scope, 'aggregate', math.text) };
  if (math.kind !== 'property') return { counted: null, of: sql`count()` };
  const number = numberOf(math);
  return { counted: number, of: aggregateSql(math.aggregate, number, null) };
};

const firstActors = (context: TrendsNumbers, { series, value }: TrendsPoint, span: TimeRange): Sql => {
  const { breakdown, scope } = context;
  const joined = onlyCohorts(breakdown) ? empty : cohortsJoin(breakdown, scope, firstTime);
  const holds = valueHolds(context, value, { key: keyOfFirst(breakdown), ...firstTime });
  return sql`
    SELECT f.actor AS actor, 1 AS value FROM ${firstTimesWithHistories(context, series, span)}${joined}
    ${holds ? sql`WHERE ${holds}` : empty} GROUP BY f.actor`;
};

const valueHolds = (
  { breakdown, values, scope }: TrendsNumbers,
  value: readonly string[] | null,
  columns: ActorsThen & { readonly key: Sql | null },
): Sql | null => value && breakdown && hasValue({ breakdown, values, scope }, value, columns);
