import { filterSql } from '../../filters/compile.sql.js';
import { everything, type Filter } from '../../filters/filter.js';
import { empty, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { instant, unsigned } from '../../stores/clickhouse/values.js';
import { type Breakdown } from '../asking/breakdown.js';
import { eventNames } from '../asking/entity.js';
import { matchesAny, matchesEntity } from '../asking/entity.sql.js';
import { eventSource, questionFilterScope, type EventSource, type QuestionScope } from '../asking/question-scope.js';
import { type TrendsSeries } from './trends.query.js';
import { keyOfEvent, valuesJoin } from './breakdown.sql.js';
import { earliestStorable } from '../../common/time/storable.js';
import { type TimeRange } from '../../common/time/range.js';

type ByProperty = Extract<Breakdown, { kind: 'property' }>;

/** Everything that a statement about trends needs in addition to its series. */
export interface TrendsContext {
  readonly scope: QuestionScope;
  readonly filter: Filter;
  readonly breakdown: Breakdown | null;
}

/** The events `e` that at least one of the series counts. */
export const rowsOfSeries = (
  { scope, filter, breakdown }: TrendsContext,
  series: readonly TrendsSeries[],
  range: TimeRange,
): EventSource => {
  const rows = eventSource(scope, { range, names: eventNames(series), filter });
  const matches = matchesAny(series, scope);
  return {
    ...rows,
    from: sql`${rows.from}${valuesJoin(breakdown, scope, rows.actor)}`,
    where: matches === null ? rows.where : sql`${rows.where} AND ${matches}`,
  };
};

/**
 * The actors whose first event ever with a name of the series is in the span and passes all filters, with the moment of that event and,
 * on request, its `key`: the smallest of several at that moment. An actor whose first event fails the filters does not count, even if
 * a later event passes.
 */
export const firstTimes = (
  { scope, filter, breakdown }: TrendsContext,
  series: TrendsSeries,
  span: TimeRange,
  { withKey }: { withKey: boolean },
): Sql => {
  const range = { from: earliestStorable, to: span.to };
  const { from, where, actor } = eventSource(scope, { range, names: eventNames([series]), filter: everything });
  const passes = sql`(${matchesEntity(series, scope)} AND ${filterSql(filter, questionFilterScope(scope))})`;
  const key = withKey && breakdown?.kind === 'property' ? keyOfEvent(breakdown) : null;
  return sql`
    SELECT ${actor} AS actor, min(e.timestamp) AS began, minIf(e.timestamp, ${passes}) AS passed, countIf(${passes}) AS passing
      ${key ? sql`, argMinIf(${key}, (e.timestamp, ${key}), ${passes}) AS key` : empty}
    FROM ${from}${key ? valuesJoin(breakdown, scope, actor) : empty} WHERE ${where}
    GROUP BY actor
    HAVING passing > 0 AND passed = began AND began >= ${instant(span.from)}`;
};

/** The breakdown keys of the events of the series or, if the series counts first times, of the persons. */
const keysOf = (
  context: TrendsContext,
  breakdown: ByProperty,
  series: readonly TrendsSeries[],
  span: TimeRange,
): Sql => {
  const [only] = series;
  if (series.length === 1 && only?.math.kind === 'first') {
    return sql`SELECT key FROM (${firstTimes(context, only, span, { withKey: true })})`;
  }
  const { from, where } = rowsOfSeries(context, series, span);
  return sql`SELECT ${keyOfEvent(breakdown)} AS key FROM ${from} WHERE ${where}`;
};

/** The most frequent keys: one more than the limit, which tells whether there are others. */
export const frequentKeysSql = (
  context: TrendsContext,
  breakdown: ByProperty,
  series: readonly TrendsSeries[],
  span: TimeRange,
): Sql => sql`
  SELECT key FROM (${keysOf(context, breakdown, series, span)})
  GROUP BY key ORDER BY count() DESC, key LIMIT ${unsigned(breakdown.limit + 1)}`;
