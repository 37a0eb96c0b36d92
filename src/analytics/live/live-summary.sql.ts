import { everything } from '../../filters/reading/filter.js';
import { type TimeRange } from '../../platform/time/range.js';
import { type Sql, bucketIndex, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { eventSource, type EventSource, type QuestionScope } from '../shared/question-scopes.js';

const sourceOf = (scope: QuestionScope, range: TimeRange): EventSource =>
  eventSource(scope, { range, names: null, filter: everything });

/** The number of events in each minute that has any, by its position in `starts`. */
export const minutesSql = (scope: QuestionScope, range: TimeRange, starts: readonly Date[]): Sql => {
  const minute = bucketIndex({ starts: [...starts], end: range.to }, sql`e.timestamp`);
  return sql`
    SELECT ${minute} AS minute, count() AS count
    FROM events AS e WHERE ${sourceOf(scope, range).where}
    GROUP BY minute`;
};

export const topEventsSql = (scope: QuestionScope, range: TimeRange, limit: number): Sql => sql`
  SELECT toString(e.event) AS event, count() AS count
  FROM events AS e WHERE ${sourceOf(scope, range).where}
  GROUP BY e.event ORDER BY count DESC, event LIMIT ${unsigned(limit)}`;

/** The actors of the range with their last events, the latest first, each with the number of all actors. */
export const activeActorsSql = (scope: QuestionScope, range: TimeRange, limit: number): Sql => {
  const { from, where, actor } = sourceOf(scope, range);
  return sql`
    SELECT toString(actor) AS actor_id, last_event, toString(toUnixTimestamp64Milli(seen)) AS last_seen, count() OVER () AS total
    FROM (
      SELECT ${actor} AS actor, argMax(toString(e.event), (e.timestamp, e.uuid)) AS last_event, max(e.timestamp) AS seen
      FROM ${from} WHERE ${where} GROUP BY actor
    )
    ORDER BY seen DESC, actor LIMIT ${unsigned(limit)}`;
};
