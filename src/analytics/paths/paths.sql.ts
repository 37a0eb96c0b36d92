import { type Sql, empty, integer, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { itemsSql } from './items.sql.js';
import { omission, type PathKey } from './path-key.js';
import { type CutQuery, type PathsQuery, type SelectedPaths } from './paths.query.js';
import { type TimeRange } from '../../platform/time/range.js';

/** A pause longer than this begins a new path. */
export const sessionPauseMs = 30 * 60 * 1000;

export interface PathsRequest {
  readonly q: PathsQuery;
  readonly range: TimeRange;
  /** Replaces sessions: a SELECT of `actor`, and of `begins` and `ends`, the milliseconds between which its events count. */
  readonly spans: Sql | null;
}

/**
 * While paths are built, a 64-bit hash stands for each item, which takes half the time of moving texts around. Only the texts of the
 * few edges in the answer are looked up.
 */
const tokenOf = (item: string): Sql => sql`sipHash64(${text(item)})`;

const items = ({ q, range }: PathsRequest, scope: QuestionScope): Sql =>
  sql`SELECT actor, at, item, sipHash64(item) AS token FROM (${itemsSql(q, range, scope)})`;

/**
 * A visit of an item as one number that sorts by time: the time since the beginning of the range, then the token of the item.
 */
const visitAt = ({ from }: TimeRange): Sql => sql`bitShiftLeft(toUInt128(at - ${integer(from.getTime())}), 64) + token`;
/** The lower half of a visit: the conversion drops the upper half. */
const itemOf = (visit: Sql): Sql => sql`toUInt64(${visit})`;
const timeOf = (visit: Sql): Sql => sql`toInt64(bitShiftRight(${visit}, 64))`;

/** The visits of each actor. Within one millisecond their order is arbitrary, but always the same. */
const allVisits = (request: PathsRequest, scope: QuestionScope): Sql => {
  const rows =
    request.spans === null
      ? items(request, scope)
      : sql`SELECT i.actor AS actor, i.at AS at, i.token AS token
        FROM (${items(request, scope)}) AS i GLOBAL INNER JOIN (${request.spans}) AS s ON s.actor = i.actor
        WHERE i.at >= s.begins AND i.at <= s.ends`;
  return sql`SELECT actor, arraySort(groupArray(${visitAt(request.range)})) AS places FROM (${rows}) GROUP BY actor`;
};

/** One row for each session of at least `shortest` visits. */
const sessions = (request: PathsRequest, scope: QuestionScope, shortest: number): Sql => {
  const all = allVisits(request, scope);
  if (request.spans !== null) return all;
  const pauses = sql`arrayDifference(arrayMap(p -> ${timeOf(sql`p`)}, places))`;
  const split = sql`arraySplit((p, pause) -> pause > ${integer(sessionPauseMs)}, places, ${pauses})`;
  const longEnough = shortest > 1 ? sql`arrayFilter(s -> length(s) >= ${unsigned(shortest)}, split)` : sql`split`;
  return sql`SELECT actor, session AS places FROM (SELECT actor, ${split} AS split FROM (${all})) ARRAY JOIN ${longEnough} AS session`;
};

/** Removes repetitions: of equal items in a row only the last stays. */
const ways = (request: PathsRequest, scope: QuestionScope, shortest: number): Sql => {
  const next = sql`arrayPushBack(arrayPopFront(places), bitNot(places[-1]))`;
  return sql`
    SELECT actor, arrayFilter((p, next) -> ${itemOf(sql`p`)} != ${itemOf(sql`next`)}, places, ${next}) AS way
    FROM (${sessions(request, scope, shortest)})`;
};

/** The position of the first visit of an item, from 1; 0 if there is none. */
const firstOf = (item: string, way: Sql): Sql =>
  sql`arrayFirstIndex(p -> ${itemOf(sql`p`)} = ${tokenOf(item)}, ${way})`;

/** One row for each path: the part of a way between the start point and the end point, within the limit of steps. */
const paths = (request: PathsRequest, scope: QuestionScope, shortest = 1): Sql => {
  const { startPoint, endPoint, stepLimit } = request.q;
  const all = ways(request, scope, shortest);
  const limit = integer(stepLimit);
  const started = startPoint === null ? all : fromStart(startPoint, all);
  if (endPoint === null) return sql`SELECT actor, arraySlice(way, 1, ${limit}) AS path FROM (${started})`;
  const ended = toEnd(endPoint, startPoint !== null, started);
  return startPoint === null
    ? sql`SELECT actor, arraySlice(way, greatest(1, length(way) - ${integer(stepLimit - 1)}), ${limit}) AS path FROM (${ended})`
    : withoutMiddle(request.q, ended);
};

const fromStart = (item: string, rows: Sql): Sql => sql`
  SELECT actor, arraySlice(way, begin) AS way
  FROM (SELECT actor, way, ${firstOf(item, sql`way`)} AS begin FROM (${rows})) WHERE begin > 0`;

/** With a start point, the end point is searched for after the start, so that a way may lead back to its start. */
const toEnd = (item: string, isAfterStart: boolean, rows: Sql): Sql => {
  const first = isAfterStart
    ? sql`if(${firstOf(item, sql`arrayPopFront(way)`)} AS behind > 0, behind + 1, 0)`
    : firstOf(item, sql`way`);
  return sql`
    SELECT actor, arraySlice(way, 1, end) AS way
    FROM (SELECT actor, way, ${first} AS end FROM (${rows})) WHERE end > 0`;
};

/** Replaces the middle of a long way by an omission, which has the time of the first visit that it replaces. */
const withoutMiddle = ({ stepLimit }: CutQuery, rows: Sql): Sql => {
  const side = Math.floor(stepLimit / 2);
  const hidden = sql`way[${unsigned(side + 1)}]`;
  const short = sql`arrayConcat(
    arraySlice(way, 1, ${unsigned(side)}), [${hidden} - ${itemOf(hidden)} + ${tokenOf(omission)}], arraySlice(way, ${integer(-side)}))`;
  return sql`SELECT actor, if(length(way) > ${integer(stepLimit)}, ${short}, way) AS path FROM (${rows})`;
};

/** One row for each time that an actor took an edge. An edge needs two visits, so shorter sessions are dropped. */
const edges = (request: PathsRequest, scope: QuestionScope): Sql => sql`
  SELECT actor, edge.1 AS step, edge.2 AS source, edge.3 AS target, edge.4 AS took
  FROM (
    SELECT actor, arrayZip(
      arrayEnumerate(arrayPopFront(tokens)), arrayPopBack(tokens), arrayPopFront(tokens),
      arrayPopFront(arrayDifference(times))) AS edges
    FROM (
      SELECT actor, arrayMap(p -> ${itemOf(sql`p`)}, path) AS tokens, arrayMap(p -> ${timeOf(sql`p`)}, path) AS times
      FROM (${paths(request, scope, 2)})))
  ARRAY JOIN edges AS edge`;

/**
 * Weighs the edges. A path takes an edge at most once, because the step is part of the edge, so the value of an edge counts
 * paths. `persons` is the length of the list behind the edge.
 */
const weighed = (request: PathsRequest, scope: QuestionScope): Sql => {
  const { minEdgeWeight: min, maxEdgeWeight: max } = request.q;
  const limits = [
    ...(min === null ? [] : [sql`value >= ${unsigned(min)}`]),
    ...(max === null ? [] : [sql`value <= ${unsigned(max)}`]),
  ];
  return sql`
    SELECT step, source, target, count() AS value, uniqExact(actor) AS persons, avg(took) AS average
    FROM (${edges(request, scope)}) GROUP BY step, source, target
    ${limits.length === 0 ? empty : sql`HAVING ${join(limits, sql` AND `)}`}`;
};

const edgeColumns = (): Sql => {
  const end = (name: Sql) => sql`if(${name} = ${tokenOf(omission)}, '', toString(${name}))`;
  return sql`toUInt8(w.step) AS step, ${end(sql`w.source`)} AS source, ${end(sql`w.target`)} AS target, w.value AS value, w.persons AS persons, w.average AS average`;
};

/** The heaviest edges and all edges with the same value as the last of them, at most `atMost`. */
export const edgesSql = (request: PathsRequest, atMost: number, scope: QuestionScope): Sql => sql`
  SELECT ${edgeColumns()} FROM (
    SELECT * FROM (${weighed(request, scope)}) ORDER BY value DESC LIMIT ${unsigned(request.q.edgeLimit)} WITH TIES) AS w
  LIMIT ${unsigned(atMost)}`;

/** Selects the heaviest edges if too many edges have equal values for `edgesSql`: ClickHouse sorts them by text. */
export const edgesByTextSql = (request: PathsRequest, scope: QuestionScope): Sql => {
  const texts = sql`SELECT token, any(item) AS item FROM (${items(request, scope)}) GROUP BY token`;
  const key = (step: Sql, token: Sql, item: Sql) =>
    sql`concat(toString(${step}), '_', if(${token} = ${tokenOf(omission)}, ${text(omission)}, ${item}))`;
  return sql`
    SELECT ${edgeColumns()} FROM (${weighed(request, scope)}) AS w
    GLOBAL ANY LEFT JOIN (${texts}) AS s ON s.token = w.source
    GLOBAL ANY LEFT JOIN (${texts}) AS t ON t.token = w.target
    ORDER BY w.value DESC, ${key(sql`w.step`, sql`w.source`, sql`s.item`)}, ${key(sql`w.step + 1`, sql`w.target`, sql`t.item`)}
    LIMIT ${unsigned(request.q.edgeLimit)}`;
};

/** The texts of items. The LIMIT stops the statement as soon as every text is known. */
export const itemTextsSql = (request: PathsRequest, tokens: readonly bigint[], scope: QuestionScope): Sql => sql`
  SELECT toString(token) AS token, item FROM (
    SELECT token, item FROM (${items(request, scope)})
    WHERE token IN ${list(unsigned, tokens)} LIMIT 1 BY token LIMIT ${unsigned(tokens.length)})`;

const isAt = ({ step, item }: PathKey): Sql =>
  sql`length(path) >= ${unsigned(step)} AND ${itemOf(sql`path[${unsigned(step)}]`)} = ${tokenOf(item)}`;

const isSelected = ({ start, end, dropoff }: SelectedPaths): Sql => {
  if (dropoff !== null) return sql`${isAt(dropoff)} AND length(path) = ${unsigned(dropoff.step)}`;
  const goesOn = start === null ? [] : [sql`${isAt(start)} AND length(path) > ${unsigned(start.step)}`];
  const arrives = end === null ? [] : [isAt(end)];
  // No path leads from a step to an earlier one or to itself.
  const isReversed = start !== null && end !== null && end.step <= start.step;
  const conditions = isReversed ? [sql`false`] : [...goesOn, ...arrives];
  return conditions.length === 0 ? sql`true` : join(conditions, sql` AND `);
};

/** The persons who took an edge, reached its target, left its source, or whose path ends at one visit. */
export const pathActorsSql = (request: PathsRequest, scope: QuestionScope): Sql =>
  sql`SELECT actor FROM (${paths(request, scope)}) WHERE ${isSelected(request.q.selected)} GROUP BY actor`;
