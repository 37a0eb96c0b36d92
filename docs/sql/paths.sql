-- GET persons/path?date_from=2026-02-01&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (SELECT actor FROM (SELECT actor, arraySlice(way, 1, {p1:Int64}) AS path FROM (
    SELECT actor, arrayFilter((p, next) -> toUInt64(p) != toUInt64(next), places, arrayPushBack(arrayPopFront(places), bitNot(places[-1]))) AS way
    FROM (SELECT actor, session AS places FROM (SELECT actor, arraySplit((p, pause) -> pause > {p2:Int64}, places, arrayDifference(arrayMap(p -> toInt64(bitShiftRight(p, 64)), places))) AS split FROM (SELECT actor, arraySort(groupArray(bitShiftLeft(toUInt128(at - {p3:Int64}), 64) + token)) AS places FROM (SELECT actor, at, item, sipHash64(item) AS token FROM (
    SELECT e.actor AS actor, toUnixTimestamp64Milli(e.timestamp) AS at,
      multiIf(e.event = {p4:String}, ifNull(e.properties.`$current_url`::Nullable(String), ''), e.event = {p5:String}, ifNull(e.properties.`$screen_name`::Nullable(String), ''), toString(e.event)) AS `item_0`, if(endsWith(`item_0`, '/') AND length(`item_0`) > 1, substring(`item_0`, 1, length(`item_0`) - 1), `item_0`) AS `item_1`, `item_1` AS item
    FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true)) GROUP BY actor)) ARRAY JOIN split AS session))) WHERE true GROUP BY actor)
  ORDER BY actor
  LIMIT {p9:UInt64} OFFSET {p10:UInt64};
-- p1 = 5
-- p2 = 1800000
-- p3 = 1769904000000
-- p4 = "$pageview"
-- p5 = "$screen"
-- p6 = 1
-- p7 = "2026-02-01 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
-- p9 = 100
-- p10 = 0

SELECT toUInt8(w.step) AS step, if(w.source = sipHash64({p1:String}), '', toString(w.source)) AS source, if(w.target = sipHash64({p2:String}), '', toString(w.target)) AS target, w.value AS value, w.persons AS persons, w.average AS average FROM (
    SELECT * FROM (
    SELECT step, source, target, count() AS value, uniqExact(actor) AS persons, avg(took) AS average
    FROM (
  SELECT actor, edge.1 AS step, edge.2 AS source, edge.3 AS target, edge.4 AS took
  FROM (
    SELECT actor, arrayZip(
      arrayEnumerate(arrayPopFront(tokens)), arrayPopBack(tokens), arrayPopFront(tokens),
      arrayPopFront(arrayDifference(times))) AS edges
    FROM (
      SELECT actor, arrayMap(p -> toUInt64(p), path) AS tokens, arrayMap(p -> toInt64(bitShiftRight(p, 64)), path) AS times
      FROM (SELECT actor, arraySlice(way, 1, {p3:Int64}) AS path FROM (
    SELECT actor, arrayFilter((p, next) -> toUInt64(p) != toUInt64(next), places, arrayPushBack(arrayPopFront(places), bitNot(places[-1]))) AS way
    FROM (SELECT actor, session AS places FROM (SELECT actor, arraySplit((p, pause) -> pause > {p4:Int64}, places, arrayDifference(arrayMap(p -> toInt64(bitShiftRight(p, 64)), places))) AS split FROM (SELECT actor, arraySort(groupArray(bitShiftLeft(toUInt128(at - {p5:Int64}), 64) + token)) AS places FROM (SELECT actor, at, item, sipHash64(item) AS token FROM (
    SELECT e.actor AS actor, toUnixTimestamp64Milli(e.timestamp) AS at,
      multiIf(e.event = {p6:String}, ifNull(e.properties.`$current_url`::Nullable(String), ''), e.event = {p7:String}, ifNull(e.properties.`$screen_name`::Nullable(String), ''), toString(e.event)) AS `item_0`, if(endsWith(`item_0`, '/') AND length(`item_0`) > 1, substring(`item_0`, 1, length(`item_0`) - 1), `item_0`) AS `item_1`, `item_1` AS item
    FROM events AS e WHERE e.project_id = {p8:UInt64} AND e.timestamp >= {p9:DateTime64(3, 'UTC')} AND e.timestamp <= {p10:DateTime64(3, 'UTC')} AND true)) GROUP BY actor)) ARRAY JOIN arrayFilter(s -> length(s) >= {p11:UInt64}, split) AS session)))))
  ARRAY JOIN edges AS edge) GROUP BY step, source, target
    ) ORDER BY value DESC LIMIT {p12:UInt64} WITH TIES) AS w
  LIMIT {p13:UInt64};
-- p1 = "..."
-- p2 = "..."
-- p3 = 5
-- p4 = 1800000
-- p5 = 1769904000000
-- p6 = "$pageview"
-- p7 = "$screen"
-- p8 = 1
-- p9 = "2026-02-01 00:00:00.000"
-- p10 = "2026-02-28 23:59:59.999"
-- p11 = 2
-- p12 = 50
-- p13 = 10001
