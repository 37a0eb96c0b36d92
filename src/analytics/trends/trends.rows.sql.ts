import { historyJoins } from '../../kernel/memberships/members.sql.js';
import { filterSql } from '../../filters/compile/compile.sql.js';
import { type Filter, everything } from '../../filters/reading/filter.js';
import { type Sql, empty, instant, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { cohortIdsOf, propertyParts, type Breakdown } from '../shared/breakdown.js';
import { type BreakdownRows } from '../shared/breakdown-bins.js';
import { type ActorsThen, breakdownJoin, breakdownTexts } from '../shared/breakdown.sql.js';
import { eventNames, matchesAny, matchesEntity } from '../shared/entity.js';
import { eventSource, questionFilterScope, type EventSource, type QuestionScope } from '../shared/question-scopes.js';
import { type TrendsSeries } from './trends.query.js';
import { cohortsJoin, keyOfEvent, keyOfFirst, keyOrder, valuesJoin } from './breakdown.sql.js';
import { earliestStorable } from '../../platform/time/dates.js';
import { type TimeRange } from '../../platform/time/range.js';

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
    from: sql`${rows.from}${valuesJoin(breakdown, scope, { actor: rows.whose, at: sql`e.timestamp` })}`,
    where: matches === null ? rows.where : sql`${rows.where} AND ${matches}`,
  };
};

/**
 * Selects the events of the series in at least one of the spans; a histogram computes the bounds of its bins from their
 * numbers.
 */
export const binnedRows = (
  context: TrendsContext,
  series: readonly TrendsSeries[],
  spans: readonly TimeRange[],
): BreakdownRows => {
  const range = {
    from: new Date(Math.min(...spans.map(({ from }) => from.getTime()))),
    to: new Date(Math.max(...spans.map(({ to }) => to.getTime()))),
  };
  const { from, where } = rowsOfSeries({ ...context, breakdown: null }, series, range);
  const isIn = spans.map((span) => sql`(e.timestamp >= ${instant(span.from)} AND e.timestamp <= ${instant(span.to)})`);
  return {
    from: sql`${from}${breakdownJoin(context.breakdown, context.scope)}`,
    where: spans.length === 1 ? where : sql`${where} AND (${join(isIn, sql` OR `)})`,
  };
};

/**
 * The actors whose first event ever with a name of the series, or that passes all filters, is in the span, with the moment of that
 * event and, with a breakdown, the `texts` of its properties: the smallest of several at that moment. An actor whose first event of
 * the name fails the filters does not count, even if a later event passes.
 */
const firstTimes = ({ scope, filter, breakdown }: TrendsContext, series: TrendsSeries, span: TimeRange): Sql => {
  const range = { from: earliestStorable, to: span.to };
  const { from, where, actor } = eventSource(scope, { range, names: eventNames([series]), filter: everything });
  const passes = sql`(${matchesEntity(series, scope)} AND ${filterSql(filter, questionFilterScope(scope))})`;
  const isRead = breakdown !== null && propertyParts(breakdown).length > 0;
  const texts = isRead ? sql`[${join(breakdownTexts(breakdown, scope))}]` : null;
  const began = isFirstOfName(series) ? sql`min(e.timestamp)` : sql`minIf(e.timestamp, ${passes})`;
  return sql`
    SELECT ${actor} AS actor, ${began} AS began, minIf(e.timestamp, ${passes}) AS passed, countIf(${passes}) AS passing
      ${texts ? sql`, argMinIf(${texts}, (e.timestamp, ${texts}), ${passes}) AS texts` : empty}
    FROM ${from}${texts ? breakdownJoin(breakdown, scope) : empty} WHERE ${where}
    GROUP BY actor
    HAVING passing > 0 AND passed = began AND began >= ${instant(span.from)}`;
};

const isFirstOfName = ({ math }: TrendsSeries): boolean => math.kind === 'first' && math.of === 'name';

/** The actor and the moment of a row `f`. */
export const firstTime: ActorsThen = { actor: () => sql`f.actor`, at: sql`f.began` };

/** Joins the rows of `firstTimes`, as `f`, with the histories of the cohorts of the breakdown. */
export const firstTimesWithHistories = (context: TrendsContext, series: TrendsSeries, span: TimeRange): Sql => {
  const { projectId, histories } = context.scope;
  const named = cohortIdsOf(context.breakdown);
  const used = histories.filter(({ cohortId }) => named.includes(cohortId));
  const first = firstTimes(context, series, span);
  return sql`(${first}) AS f${historyJoins(projectId, used, firstTime.actor)}`;
};

/** Joins the rows of `firstTimesWithHistories` with the cohorts of their actors. */
export const firstTimesWithCohorts = (context: TrendsContext, series: TrendsSeries, span: TimeRange): Sql => {
  const { breakdown, scope } = context;
  return sql`${firstTimesWithHistories(context, series, span)}${cohortsJoin(breakdown, scope, firstTime)}`;
};

/** The breakdown keys of the events of the series or, if the series counts first times, of the persons. */
const keysOf = (context: TrendsContext, series: readonly TrendsSeries[], span: TimeRange): Sql => {
  const { breakdown } = context;
  const [only] = series;
  if (series.length === 1 && only?.math.kind === 'first') {
    return sql`SELECT ${keyOfFirst(breakdown) ?? empty} AS key FROM ${firstTimesWithCohorts(context, only, span)}`;
  }
  const { from, where } = rowsOfSeries(context, series, span);
  return sql`SELECT ${keyOfEvent(breakdown, context.scope) ?? empty} AS key FROM ${from} WHERE ${where}`;
};

/** The most frequent keys: one more than the limit, which tells whether there are others. */
export const frequentKeysSql = (
  context: TrendsContext & { readonly breakdown: Breakdown },
  series: readonly TrendsSeries[],
  span: TimeRange,
): Sql => sql`
  SELECT key FROM (${keysOf(context, series, span)})
  GROUP BY key ORDER BY count() DESC, ${keyOrder(context.breakdown, sql`key`)}
  LIMIT ${unsigned(context.breakdown.limit + 1)}`;
