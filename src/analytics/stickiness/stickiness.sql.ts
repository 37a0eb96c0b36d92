import { type Buckets } from '../../platform/time/range.js';
import { type Sql, bucketIndex, empty, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type Entity, eventNames, matchesAny } from '../shared/entity.js';
import { intervalSet } from '../shared/interval-set.sql.js';
import { eventSource, type QuestionScope } from '../shared/question-scopes.js';
import { type StickinessCriteria, type StickinessQuery } from './stickiness.query.js';
import { type TimeRange } from '../../platform/time/range.js';

/** A series over one range; `compare` adds the same series over the previous range. */
export interface StickinessSeries {
  readonly entity: Entity;
  readonly buckets: Buckets;
  /** The time of the events that count: from the start of the first interval to the end of the range. */
  readonly range: TimeRange;
}

type StickinessRules = Pick<StickinessQuery, 'filter' | 'criteria'>;

/** Each actor with the number of intervals in which it was active. */
const activity = (q: StickinessRules, { entity, buckets, range }: StickinessSeries, scope: QuestionScope): Sql => {
  const { from, where, actor } = eventSource(scope, { range, names: eventNames([entity]), filter: q.filter });
  const interval = bucketIndex(buckets, sql`e.timestamp`);
  const matches = matchesAny([entity], scope);
  const rows = sql`FROM ${from} WHERE ${where}${matches === null ? empty : sql` AND ${matches}`}`;
  const set = intervalSet(buckets.starts.length);
  if (q.criteria.operator === 'gte' && q.criteria.value === 1) {
    return sql`SELECT ${actor} AS actor, ${set.size(set.gather(interval, null))} AS active ${rows} GROUP BY actor`;
  }
  return sql`
    SELECT actor, count() AS active
    FROM (SELECT ${actor} AS actor, ${interval} AS at, count() AS events ${rows} GROUP BY actor, at)
    WHERE ${fulfils(sql`events`, q.criteria)}
    GROUP BY actor`;
};

const fulfils = (number: Sql, { operator, value }: StickinessCriteria): Sql => {
  const threshold = unsigned(value);
  const ways = { exact: sql`=`, gte: sql`>=`, lte: sql`<=` };
  return sql`${number} ${ways[operator]} ${threshold}`;
};

export const stickinessSql = (q: StickinessRules, series: StickinessSeries, scope: QuestionScope): Sql => sql`
  SELECT toUInt32(active) AS intervals, count() AS persons
  FROM (${activity(q, series, scope)})
  GROUP BY active ORDER BY active`;

export const stickinessActorsSql = (
  q: StickinessRules,
  series: StickinessSeries,
  { activeIntervals, operator }: Pick<StickinessQuery['selected'], 'activeIntervals' | 'operator'>,
  scope: QuestionScope,
): Sql => {
  const actors = activity(q, series, scope);
  return activeIntervals === null
    ? sql`SELECT actor, active FROM (${actors})`
    : sql`SELECT actor, active FROM (${actors}) WHERE ${fulfils(sql`active`, { operator, value: activeIntervals })}`;
};
