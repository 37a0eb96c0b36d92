-- GET persons/retention?period=Week&retention_type=retention_first_time&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT actor, arrayMap(later -> toUInt8((later = 0 OR (bitAnd(bitShiftRight(seen, toUInt8(({p1:UInt64} + later))), 1) = 1))), range({p2:UInt64})) AS appearances
    FROM (SELECT actor, if(countIf(is_target) > 0 AND assumeNotNull(minIf(at, is_target)) >= {p3:DateTime64(3, 'UTC')}, bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(assumeNotNull(minIf(at, is_target))) - {p4:Int64}), {p5:Int64}))), 0) AS begun, groupBitOrIf(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p6:Int64}), {p7:Int64}))), is_returning AND at >= {p8:DateTime64(3, 'UTC')}) AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p9:String} AS is_target, e.event = {p10:String} AS is_returning
    FROM events AS e WHERE e.project_id = {p11:UInt64} AND e.event IN ({p12:String}) AND e.timestamp >= {p13:DateTime64(3, 'UTC')} AND e.timestamp <= {p14:DateTime64(3, 'UTC')} AND true AND (is_target OR (is_returning AND e.timestamp >= {p15:DateTime64(3, 'UTC')}))) GROUP BY actor)
    WHERE (bitAnd(bitShiftRight(begun, toUInt8({p1:UInt64})), 1) = 1))
  ORDER BY arraySum(appearances) DESC, actor
  LIMIT {p16:UInt64} OFFSET {p17:UInt64};
-- p1 = 0
-- p2 = 11
-- p3 = "2025-12-14 00:00:00.000"
-- p4 = 1765670400000
-- p5 = 604800000
-- p6 = 1765670400000
-- p7 = 604800000
-- p8 = "2025-12-14 00:00:00.000"
-- p9 = "$pageview"
-- p10 = "$pageview"
-- p11 = 1
-- p12 = "$pageview"
-- p13 = "1900-01-01 00:00:00.000"
-- p14 = "2026-02-28 23:59:59.999"
-- p15 = "2025-12-14 00:00:00.000"
-- p16 = 100
-- p17 = 0

SELECT toUInt32(start) AS start, toUInt32(later) AS later, sum(actors) AS actors
    FROM (
      SELECT start, actors, arrayJoin(bitPositionsToArray(bitOr(bitShiftRight(seen, start), 1))) AS later
      FROM (
        SELECT arrayJoin(bitPositionsToArray(begun)) AS start, seen, actors
        FROM (SELECT begun, seen, count() AS actors FROM (SELECT actor, if(countIf(is_target) > 0 AND assumeNotNull(minIf(at, is_target)) >= {p1:DateTime64(3, 'UTC')}, bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(assumeNotNull(minIf(at, is_target))) - {p2:Int64}), {p3:Int64}))), 0) AS begun, groupBitOrIf(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(at) - {p4:Int64}), {p5:Int64}))), is_returning AND at >= {p6:DateTime64(3, 'UTC')}) AS seen FROM (
    SELECT e.actor AS actor, e.timestamp AS at, e.event = {p7:String} AS is_target, e.event = {p8:String} AS is_returning
    FROM events AS e WHERE e.project_id = {p9:UInt64} AND e.event IN ({p10:String}) AND e.timestamp >= {p11:DateTime64(3, 'UTC')} AND e.timestamp <= {p12:DateTime64(3, 'UTC')} AND true AND (is_target OR (is_returning AND e.timestamp >= {p13:DateTime64(3, 'UTC')}))) GROUP BY actor) GROUP BY begun, seen)))
    GROUP BY start, later;
-- p1 = "2025-12-14 00:00:00.000"
-- p2 = 1765670400000
-- p3 = 604800000
-- p4 = 1765670400000
-- p5 = 604800000
-- p6 = "2025-12-14 00:00:00.000"
-- p7 = "$pageview"
-- p8 = "$pageview"
-- p9 = 1
-- p10 = "$pageview"
-- p11 = "1900-01-01 00:00:00.000"
-- p12 = "2026-02-28 23:59:59.999"
-- p13 = "2025-12-14 00:00:00.000"
