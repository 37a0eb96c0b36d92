import { sql, type Sql } from '../../src/stores/clickhouse/sql.js';

/** The questions as they are asked of events whose properties are JSON text and whose person is a UUID. */
const between = (from: string): Sql =>
  sql`project_id = 1 AND timestamp >= toDateTime64(${literal(from)}, 3, 'UTC') AND timestamp <= toDateTime64('2026-03-01 23:59:59.999', 3, 'UTC')`;

const starts = {
  '-30d': sql`'2026-01-30 00:00:00'`,
  '-14d': sql`'2026-02-15 00:00:00'`,
  '-7d': sql`'2026-02-22 00:00:00'`,
} as const;

const literal = (from: string): Sql => starts[from as keyof typeof starts];

const property = (name: Sql): Sql => sql`replaceRegexpAll(JSONExtractRaw(properties, ${name}), '^"|"$', '')`;

export const referenceQuestions = {
  trend: sql`
    SELECT toDate(timestamp) AS day, count() FROM reference_events
    WHERE ${between('-30d')} AND event = '$pageview' GROUP BY day ORDER BY day`,
  'daily actives': sql`
    SELECT toDate(timestamp) AS day, uniqExact(person_id) FROM reference_events
    WHERE ${between('-30d')} AND event = '$pageview' GROUP BY day ORDER BY day`,
  breakdown: sql`
    SELECT toDate(timestamp) AS day, ${property(sql`'$browser'`)} AS value, count() FROM reference_events
    WHERE ${between('-30d')} AND event = '$pageview' GROUP BY day, value ORDER BY day`,
  'property filter': sql`
    SELECT toDate(timestamp) AS day, count() FROM reference_events
    WHERE ${between('-30d')} AND event = '$pageview' AND ${property(sql`'plan'`)} = 'pro' GROUP BY day ORDER BY day`,
  'sum of a property': sql`
    SELECT toDate(timestamp) AS day, sum(toFloat64OrNull(${property(sql`'price'`)})) FROM reference_events
    WHERE ${between('-30d')} AND event = 'purchased' GROUP BY day ORDER BY day`,
  funnel: sql`
    SELECT countIf(level >= 1), countIf(level >= 2), countIf(level >= 3) FROM (
      SELECT person_id, windowFunnel(1209600000)(toUInt64(toUnixTimestamp64Milli(timestamp)),
        event = 'signed up', event = 'searched', event = 'purchased') AS level
      FROM reference_events WHERE ${between('-30d')} AND event IN ('signed up', 'searched', 'purchased') GROUP BY person_id)`,
  retention: sql`
    SELECT start, day - start AS later, count() FROM (
      SELECT person_id, groupUniqArray(toDate(timestamp)) AS days FROM reference_events
      WHERE ${between('-14d')} AND event = '$pageview' GROUP BY person_id)
    ARRAY JOIN days AS start ARRAY JOIN days AS day WHERE day >= start GROUP BY start, later`,
  lifecycle: sql`
    SELECT day, status, count() FROM (
      SELECT person_id, arraySort(groupUniqArray(toDate(timestamp))) AS days, min(timestamp) AS first FROM reference_events
      WHERE ${between('-30d')} AND event = '$pageview' GROUP BY person_id)
    ARRAY JOIN arrayConcat(days, arrayMap(d -> d + 1, days)) AS day, arrayConcat(
      arrayMap(d -> multiIf(d = toDate(first), 'new', has(days, d - 1), 'returning', 'resurrecting'), days),
      arrayMap(d -> if(has(days, d + 1), '', 'dormant'), days)) AS status
    WHERE status != '' GROUP BY day, status`,
  stickiness: sql`
    SELECT active, count() FROM (
      SELECT person_id, uniqExact(toDate(timestamp)) AS active FROM reference_events
      WHERE ${between('-30d')} AND event = '$pageview' GROUP BY person_id)
    GROUP BY active ORDER BY active`,
  paths: sql`
    SELECT edge.1 AS source, edge.2 AS target, count() AS value, avg(edge.3) FROM (
      SELECT arrayJoin(arrayMap(i -> (concat(toString(i), '_', session[i].2), concat(toString(i + 1), '_', session[i + 1].2),
        session[i + 1].1 - session[i].1), range(1, least(length(session), 5)))) AS edge
      FROM (
        SELECT arrayJoin(arraySplit((e, i) -> i > 1 AND e.1 - visits[i - 1].1 > 1800000, visits, arrayEnumerate(visits))) AS session
        FROM (
          SELECT person_id, arraySort(groupArray((toUnixTimestamp64Milli(timestamp), ${property(sql`'$current_url'`)}))) AS visits
          FROM reference_events WHERE ${between('-7d')} AND event = '$pageview' GROUP BY person_id)))
    GROUP BY source, target ORDER BY value DESC LIMIT 50`,
} as const;
