import { lifecycleByBits, retentionByBits, stickinessByBits } from '../../test/support/query/day-bits.js';
import { type QuestionName } from './reference-questions.js';

/** A question as a user writes it in SQL, and which of the insight's numbers it tells: keys that end so. */
export interface SqlQuestion {
  readonly sql: string;
  readonly of: RegExp;
}

const month = `timestamp >= '2026-01-30' and timestamp < '2026-03-02'`;
const monthAndADay = `timestamp >= '2026-01-29' and timestamp < '2026-03-02'`;
const fortnight = `timestamp >= '2026-02-15' and timestamp < '2026-03-02'`;
const week = `timestamp >= '2026-02-22' and timestamp < '2026-03-02'`;
const views = `from events where event = '$pageview'`;

const all = / n$/;

export const sqlQuestions: Readonly<Partial<Record<QuestionName, SqlQuestion>>> = {
  trend: { sql: `select toDate(timestamp) as day, count() as n ${views} and ${month} group by day`, of: all },
  'daily actives': {
    sql: `select toDate(timestamp) as day, count(distinct person_id) as n ${views} and ${month} group by day`,
    of: all,
  },
  breakdown: {
    sql: `select toDate(timestamp) as day, properties.$browser as value, count() as n ${views} and ${month} group by day, value`,
    of: all,
  },
  'property filter': {
    sql: `select toDate(timestamp) as day, count() as n ${views} and ${month} and properties.plan = 'pro' group by day`,
    of: all,
  },
  'sum of a property': {
    sql: `select toDate(timestamp) as day, sum(toFloat(properties.price)) as n from events
      where event = 'purchased' and ${month} group by day`,
    of: all,
  },
  funnel: {
    sql: `select arrayJoin(range(1, level + 1)) as step, count() as n from (
        select person_id, windowFunnel(1209600000)(toUInt64(toUnixTimestamp64Milli(timestamp)),
          event = 'signed up', event = 'searched', event = 'purchased') as level
        from events where event in ('signed up', 'searched', 'purchased') and ${month} group by person_id)
      group by step`,
    of: all,
  },
  retention: { sql: retentionByBits({ from: `${views} and ${fortnight}`, first: '2026-02-15' }), of: all },
  lifecycle: { sql: lifecycleByBits({ from: `${views} and ${monthAndADay}`, first: '2026-01-29' }, 31), of: all },
  stickiness: { sql: stickinessByBits({ from: `${views} and ${month}`, first: '2026-01-30' }), of: all },
  paths: {
    sql: `select concat(toString(edge.1), '_', edge.2) as source, concat(toString(edge.1 + 1), '_', edge.3) as target,
        count() as n from (
        select arrayJoin(arrayZip(arrayEnumerate(arrayPopFront(path)), arrayPopBack(path), arrayPopFront(path))) as edge
        from (
          select arraySlice(arrayCompact(arrayMap(visit -> visit.2, session)), 1, 5) as path from (
            select arrayJoin(arraySplit((visit, pause) -> pause > 1800000, visits,
              arrayDifference(arrayMap(visit -> visit.1, visits)))) as session
            from (
              select person_id, arraySort(groupArray((toUnixTimestamp64Milli(timestamp), ifNull(properties.$current_url, '')))) as visits
              ${views} and ${week} group by person_id)))
        where length(path) > 1)
      group by source, target order by n desc, source, target limit 50`,
    of: all,
  },
};
