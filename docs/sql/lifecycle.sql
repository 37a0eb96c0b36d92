-- GET persons/lifecycle?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%5D&date_from=2026-02-01&date_to=2026-02-28

(SELECT 1 AS found FROM events WHERE project_id = {p1:UInt64} AND actor < 0 LIMIT 1);
-- p1 = 1

SELECT found.1 AS at, {p1:Array(String)}[found.2 + 1] AS state, actors
  FROM (
    SELECT arrayJoin(arrayConcat(
    arrayMap(place -> (toUInt16(place - 1), multiIf(place = born, 0, (bitAnd(bitShiftRight(active, toUInt8((place - 1))), 1) = 1), 1, 2)), arrayFilter(place -> place > 0, bitPositionsToArray(active))),
    arrayMap(place -> (toUInt16(place), 3), arrayFilter(place -> place < {p2:UInt64} AND NOT (bitAnd(bitShiftRight(active, toUInt8((place + 1))), 1) = 1), bitPositionsToArray(active))))) AS found, sum(lives) AS actors
    FROM (SELECT active, born, count() AS lives FROM (
    SELECT a.actor AS actor, a.active AS active, p.born AS born
    FROM (SELECT e.actor AS actor, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p3:Int64}), {p4:Int64})))) AS active FROM events AS e WHERE e.project_id = {p5:UInt64} AND e.event IN ({p6:String}) AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true GROUP BY actor) AS a
    GLOBAL ANY LEFT JOIN (
      SELECT id AS id, toUInt16(intDiv((toUnixTimestamp64Milli(created_at) - {p9:Int64}), {p10:Int64})) AS born
      FROM persons FINAL
      WHERE project_id = {p11:UInt64} AND created_at >= {p12:DateTime64(3, 'UTC')} AND created_at < {p13:DateTime64(3, 'UTC')}
    ) AS p ON p.id = a.actor) GROUP BY active, born)
    GROUP BY found);
-- p1 = ["new","returning","resurrecting","dormant"]
-- p2 = 28
-- p3 = 1769817600000
-- p4 = 86400000
-- p5 = 1
-- p6 = "$pageview"
-- p7 = "2026-01-31 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
-- p9 = 1769817600000
-- p10 = 86400000
-- p11 = 1
-- p12 = "2026-02-01 00:00:00.000"
-- p13 = "2026-03-01 00:00:00.000"

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (SELECT actor FROM (
    SELECT a.actor AS actor, a.active AS active, p.born AS born
    FROM (SELECT e.actor AS actor, groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p1:Int64}), {p2:Int64})))) AS active FROM events AS e WHERE e.project_id = {p3:UInt64} AND e.event IN ({p4:String}) AND e.timestamp >= {p5:DateTime64(3, 'UTC')} AND e.timestamp <= {p6:DateTime64(3, 'UTC')} AND true GROUP BY actor) AS a
    GLOBAL ANY LEFT JOIN (
      SELECT id AS id, toUInt16(intDiv((toUnixTimestamp64Milli(created_at) - {p7:Int64}), {p8:Int64})) AS born
      FROM persons FINAL
      WHERE project_id = {p9:UInt64} AND created_at >= {p10:DateTime64(3, 'UTC')} AND created_at < {p11:DateTime64(3, 'UTC')}
    ) AS p ON p.id = a.actor) WHERE arrayExists(at -> multiIf(
    (bitAnd(bitShiftRight(active, toUInt8((at + 1))), 1) = 1) AND born = at + 1, {p12:String}, (bitAnd(bitShiftRight(active, toUInt8((at + 1))), 1) = 1) AND (bitAnd(bitShiftRight(active, toUInt8(at)), 1) = 1), {p13:String},
    (bitAnd(bitShiftRight(active, toUInt8((at + 1))), 1) = 1), {p14:String}, (bitAnd(bitShiftRight(active, toUInt8(at)), 1) = 1), {p15:String}, '') != '', range({p16:UInt64})))
  ORDER BY actor
  LIMIT {p17:UInt64} OFFSET {p18:UInt64};
-- p1 = 1769817600000
-- p2 = 86400000
-- p3 = 1
-- p4 = "$pageview"
-- p5 = "2026-01-31 00:00:00.000"
-- p6 = "2026-02-28 23:59:59.999"
-- p7 = 1769817600000
-- p8 = 86400000
-- p9 = 1
-- p10 = "2026-02-01 00:00:00.000"
-- p11 = "2026-03-01 00:00:00.000"
-- p12 = "new"
-- p13 = "returning"
-- p14 = "resurrecting"
-- p15 = "dormant"
-- p16 = 28
-- p17 = 100
-- p18 = 0
