import { type Sql, empty, join, sql } from '../../platform/clickhouse/sql.js';
import { onlyCohorts } from '../shared/breakdown.js';
import { type ActorThen } from '../shared/breakdown.sql.js';
import { type ActorList } from '../shared/actor-lists.sql.js';
import { numberUnder } from '../shared/number.sql.js';
import { aggregateSql } from './aggregate.sql.js';
import { cohortsJoin, hasValue, keyOfEvent, keyOfFirst } from './breakdown.sql.js';
import { rangeOfPoints, piecesOf, reachSpans, type TrendsAxis } from './trends.axis.js';
import { type TrendsSeries } from './trends.query.js';
import { firstTime, firstTimesWithHistories, rowsOfSeries } from './trends.rows.sql.js';
import { type TrendsNumbers } from './trends.sql.js';
import { type TimeRange } from '../../platform/time/range.js';

export interface TrendsPoint {
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
  const { from, where, actor } = rowsOfSeries(context, [series], time);
  const key = keyOfEvent(context.breakdown);
  const conditions = [where, valueHolds(context, value, { key, actor, at: sql`e.timestamp` })].filter(
    (one) => one !== null,
  );
  const number = series.math.kind === 'property' ? numberUnder(sql`e.properties`, series.math.key) : null;
  if (number) conditions.push(sql`${number} IS NOT NULL`);
  const contributed =
    series.math.kind === 'property' && number ? aggregateSql(series.math.aggregate, number, null) : sql`count()`;
  const actors = sql`
    SELECT ${actor} AS actor, ${contributed} AS value
    FROM ${from} WHERE ${join(conditions, sql` AND `)} GROUP BY actor`;
  return { actors, order };
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
  columns: ActorThen & { readonly key: Sql | null },
): Sql | null => value && breakdown && hasValue({ breakdown, values, scope }, value, columns);
