import { type Sql, sql } from '../../src/platform/clickhouse/sql.js';

/**
 * The questions as they are sent to the other layout. A row is what the number is of, then from `n` on the numbers: those that our
 * answers are held against.
 */
const between = (from: Sql): Sql =>
  sql`project_id = 1 AND timestamp >= toDateTime64(${from}, 3, 'UTC') AND timestamp <= toDateTime64('2026-03-01 23:59:59.999', 3, 'UTC')`;

const lastMonth = between(sql`'2026-01-30 00:00:00'`);
const lastMonthAndADay = between(sql`'2026-01-29 00:00:00'`);
const lastFortnight = between(sql`'2026-02-15 00:00:00'`);
const lastWeek = between(sql`'2026-02-22 00:00:00'`);

const property = (name: Sql): Sql => sql`replaceRegexpAll(JSONExtractRaw(properties, ${name}), '^"|"$', '')`;

const level = sql`windowFunnel(1209600000)(toUInt64(toUnixTimestamp64Milli(timestamp)),
  event = 'signed up', event = 'searched', event = 'purchased')`;
/** For each of a person's events what follows at the next one of a step; the last is none of them, and all. */
const next = (what: Sql, step: Sql): Sql =>
  sql`arrayReverseFill((found, e) -> e.2 = ${step} OR e.2 = 0, ${what}, events)`;
const funnelEvents = sql`event IN ('signed up', 'searched', 'purchased')`;

export const referenceQuestions = {
  trend: sql`
    SELECT toDate(timestamp) AS day, count() AS n FROM reference_events
    WHERE ${lastMonth} AND event = '$pageview' GROUP BY day`,
  'daily actives': sql`
    SELECT toDate(timestamp) AS day, uniqExact(person_id) AS n FROM reference_events
    WHERE ${lastMonth} AND event = '$pageview' GROUP BY day`,
  breakdown: sql`
    SELECT toDate(timestamp) AS day, ${property(sql`'$browser'`)} AS value, count() AS n FROM reference_events
    WHERE ${lastMonth} AND event = '$pageview' GROUP BY day, value`,
  'property filter': sql`
    SELECT toDate(timestamp) AS day, count() AS n FROM reference_events
    WHERE ${lastMonth} AND event = '$pageview' AND ${property(sql`'plan'`)} = 'pro' GROUP BY day`,
  'sum of a property': sql`
    SELECT toDate(timestamp) AS day, sum(toFloat64OrNull(${property(sql`'price'`)})) AS n FROM reference_events
    WHERE ${lastMonth} AND event = 'purchased' GROUP BY day`,
  funnel: sql`
    SELECT hit.1 AS step, count() AS n, avg(hit.2) AS average, quantileExactInclusive(0.5)(hit.2) AS median
    FROM (
      SELECT arrayJoin(arraySlice([(1, 0.), (2, arrayAvg(a -> a.2 - a.1, tries) / 1000), (3, arrayAvg(a -> a.3 - a.2, tries) / 1000)],
        1, reach)) AS hit
      FROM (
        SELECT arrayMap(a -> 1 + (a.2 <= a.1 + 1209600000) + (a.3 <= a.1 + 1209600000), attempts) AS reached,
          arrayMax(reached) AS reach, arrayFilter((a, r) -> r = reach, attempts, reached) AS tries
        FROM (
          SELECT arrayMap((a, b, c) -> (a.1, b.1, c.1),
            arrayFilter(e -> e.2 = 1, events),
            arrayFilter((b, e) -> e.2 = 1, ${next(sql`events`, sql`2`)}, events),
            arrayFilter((c, e) -> e.2 = 1, ${next(next(sql`events`, sql`3`), sql`2`)}, events)) AS attempts
          FROM (
            SELECT person_id, arrayPushBack(arraySort(groupArray((toUnixTimestamp64Milli(timestamp),
              multiIf(event = 'signed up', 1, event = 'searched', 2, 3)))), (9000000000000, 0)) AS events
            FROM reference_events WHERE ${lastMonth} AND ${funnelEvents} GROUP BY person_id)
          WHERE notEmpty(attempts))))
    GROUP BY step`,
  // Less than ours tells: not how long the steps took.
  'funnel by a property': sql`
    SELECT value, step, count() AS n
    FROM (
      SELECT person_id, ${level} AS level, argMinIf(value, timestamp, value != '') AS value
      FROM (SELECT person_id, timestamp, event, ${property(sql`'$browser'`)} AS value
        FROM reference_events WHERE ${lastMonth} AND ${funnelEvents})
      GROUP BY person_id)
    ARRAY JOIN range(1, level + 1) AS step GROUP BY value, step`,
  retention: sql`
    SELECT start, day - start AS later, count() AS n
    FROM (
      SELECT person_id, groupUniqArray(toDate(timestamp)) AS days FROM reference_events
      WHERE ${lastFortnight} AND event = '$pageview' GROUP BY person_id)
    ARRAY JOIN days AS start ARRAY JOIN days AS day WHERE day >= start GROUP BY start, later`,
  lifecycle: sql`
    SELECT day, status, count() AS n
    FROM (
      SELECT a.days AS days, toDate(p.created_at) AS created
      FROM (
        SELECT person_id, arraySort(groupUniqArray(toDate(timestamp))) AS days FROM reference_events
        WHERE ${lastMonthAndADay} AND event = '$pageview' GROUP BY person_id) AS a
      ANY LEFT JOIN (SELECT id, created_at FROM reference_persons FINAL WHERE project_id = 1) AS p ON p.id = a.person_id)
    ARRAY JOIN arrayConcat(days, arrayMap(d -> d + 1, days)) AS day, arrayConcat(
      arrayMap(d -> multiIf(d = created, 'new', has(days, d - 1), 'returning', 'resurrecting'), days),
      arrayMap(d -> if(has(days, d + 1), '', 'dormant'), days)) AS status
    WHERE status != '' AND day >= '2026-01-30' AND day <= '2026-03-01' GROUP BY day, status`,
  stickiness: sql`
    SELECT active, count() AS n FROM (
      SELECT person_id, uniqExact(toDate(timestamp)) AS active FROM reference_events
      WHERE ${lastMonth} AND event = '$pageview' GROUP BY person_id)
    GROUP BY active`,
  paths: sql`
    SELECT concat(toString(edge.1), '_', edge.2) AS source, concat(toString(edge.1 + 1), '_', edge.3) AS target,
      count() AS n, uniqExact(person_id) AS persons, avg(edge.4) AS average
    FROM (
      SELECT person_id, arraySlice(arrayFilter((visit, next) -> visit.2 != next,
        session, arrayPushBack(arrayPopFront(session.2), '')), 1, 5) AS path
      FROM (
        SELECT person_id, arraySort(groupArray((toUnixTimestamp64Milli(timestamp), ${property(sql`'$current_url'`)}))) AS visits
        FROM reference_events WHERE ${lastWeek} AND event = '$pageview' GROUP BY person_id)
      ARRAY JOIN arraySplit((visit, pause) -> pause > 1800000, visits, arrayDifference(visits.1)) AS session
      WHERE length(session) > 1)
    ARRAY JOIN arrayZip(arrayEnumerate(arrayPopFront(path)), arrayPopBack(path.2), arrayPopFront(path.2),
      arrayPopFront(arrayDifference(path.1))) AS edge
    GROUP BY source, target ORDER BY n DESC, source, target LIMIT 50`,
} as const;

export type QuestionName = keyof typeof referenceQuestions;
