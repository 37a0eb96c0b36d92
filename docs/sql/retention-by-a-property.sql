-- GET persons/retention?period=Day&date_to=2026-02-28&breakdown=plan&breakdown_value=pro

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT actor, arrayMap(later -> toUInt8((later = 0 OR (bitAnd(bitShiftRight(seen, toUInt8(({p1:UInt64} + later))), 1) = 1))), range({p2:UInt64})) AS appearances
    FROM (SELECT actor, value, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p3:Int64}), {p4:Int64})))) AS begun, begun AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p5:String} AS is_target, e.event = {p6:String} AS is_returning, [ifNull(e.properties.`plan`::Nullable(String), '')] AS value
    FROM events AS e WHERE e.project_id = {p7:UInt64} AND e.event IN ({p8:String}) AND e.timestamp >= {p9:DateTime64(3, 'UTC')} AND e.timestamp <= {p10:DateTime64(3, 'UTC')} AND true) GROUP BY actor, value)
    WHERE (bitAnd(bitShiftRight(begun, toUInt8({p1:UInt64})), 1) = 1) AND value = {p11:Array(String)})
  ORDER BY arraySum(appearances) DESC, actor
  LIMIT {p12:UInt64} OFFSET {p13:UInt64};
-- p1 = 0
-- p2 = 11
-- p3 = 1771372800000
-- p4 = 86400000
-- p5 = "$pageview"
-- p6 = "$pageview"
-- p7 = 1
-- p8 = "$pageview"
-- p9 = "2026-02-18 00:00:00.000"
-- p10 = "2026-02-28 23:59:59.999"
-- p11 = ["pro"]
-- p12 = 100
-- p13 = 0

SELECT toUInt32(start) AS start, toUInt32(later) AS later, sum(actors) AS actors
    FROM (
      SELECT start, actors, arrayJoin(bitPositionsToArray(bitOr(bitShiftRight(seen, start), 1))) AS later
      FROM (
        SELECT arrayJoin(bitPositionsToArray(begun)) AS start, seen, actors
        FROM (SELECT begun, seen, count() AS actors FROM (SELECT actor, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p1:Int64}), {p2:Int64})))) AS begun, begun AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p3:String} AS is_target, e.event = {p4:String} AS is_returning
    FROM events AS e WHERE e.project_id = {p5:UInt64} AND e.event IN ({p6:String}) AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true) GROUP BY actor) GROUP BY begun, seen)))
    GROUP BY start, later;
-- p1 = 1771372800000
-- p2 = 86400000
-- p3 = "$pageview"
-- p4 = "$pageview"
-- p5 = 1
-- p6 = "$pageview"
-- p7 = "2026-02-18 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"

SELECT value
  FROM (SELECT value, sum(bitCount(begun)) AS persons FROM (SELECT actor, value, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p1:Int64}), {p2:Int64})))) AS begun, begun AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p3:String} AS is_target, e.event = {p4:String} AS is_returning, [ifNull(e.properties.`plan`::Nullable(String), '')] AS value
    FROM events AS e WHERE e.project_id = {p5:UInt64} AND e.event IN ({p6:String}) AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true) GROUP BY actor, value) GROUP BY value)
  WHERE persons > 0 ORDER BY persons DESC, value LIMIT {p9:UInt64};
-- p1 = 1771372800000
-- p2 = 86400000
-- p3 = "$pageview"
-- p4 = "$pageview"
-- p5 = 1
-- p6 = "$pageview"
-- p7 = "2026-02-18 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
-- p9 = 26

SELECT value, toUInt32(start) AS start, toUInt32(later) AS later, sum(actors) AS actors
    FROM (
      SELECT value, start, actors, arrayJoin(bitPositionsToArray(bitOr(bitShiftRight(seen, start), 1))) AS later
      FROM (
        SELECT value, arrayJoin(bitPositionsToArray(begun)) AS start, seen, actors
        FROM (SELECT value, begun, seen, count() AS actors FROM (SELECT actor, value, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p1:Int64}), {p2:Int64})))) AS begun, begun AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p3:String} AS is_target, e.event = {p4:String} AS is_returning, [ifNull(e.properties.`plan`::Nullable(String), '')] AS value
    FROM events AS e WHERE e.project_id = {p5:UInt64} AND e.event IN ({p6:String}) AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true) GROUP BY actor, value) GROUP BY value, begun, seen)))
    GROUP BY value, start, later;
-- p1 = 1771372800000
-- p2 = 86400000
-- p3 = "$pageview"
-- p4 = "$pageview"
-- p5 = 1
-- p6 = "$pageview"
-- p7 = "2026-02-18 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
