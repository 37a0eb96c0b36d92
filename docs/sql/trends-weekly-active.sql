-- GET persons/trends?events=%5B%7B%22id%22%3A%22%24pageview%22%2C%22math%22%3A%22weekly_active%22%7D%5D&date_from=2026-02-01&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT e.actor AS actor, count() AS value
    FROM events AS e WHERE e.project_id = {p1:UInt64} AND e.event IN ({p2:String}) AND e.timestamp >= {p3:DateTime64(3, 'UTC')} AND e.timestamp <= {p4:DateTime64(3, 'UTC')} AND true GROUP BY actor)
  ORDER BY value DESC, actor
  LIMIT {p5:UInt64} OFFSET {p6:UInt64};
-- p1 = 1
-- p2 = "$pageview"
-- p3 = "2026-01-26 00:00:00.000"
-- p4 = "2026-02-28 23:59:59.999"
-- p5 = 100
-- p6 = 0

SELECT toUInt16(d.change.1) AS at, sum(d.change.2) AS `n0`
    FROM (SELECT arrayJoin(arrayConcat(
        arrayMap((piece, n) -> (greatest({p1:Array(Int64)}[piece + 1], if(n = 1, 0, {p2:Array(Int64)}[c.pieces[n - 1] + 1] + 1)), 1),
          c.pieces, arrayEnumerate(c.pieces)),
        arrayMap(piece -> ({p2:Array(Int64)}[piece + 1] + 1, -1), c.pieces))) AS change
      FROM (SELECT e.actor AS actor, bitPositionsToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p3:Int64}), {p4:Int64}))))) AS pieces
        FROM events AS e WHERE e.project_id = {p5:UInt64} AND e.event IN ({p6:String}) AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true GROUP BY actor) AS c) AS d
    GROUP BY at;
-- p1 = [0,0,0,0,0,0,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27]
-- p2 = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,27,27,27,27,27,27]
-- p3 = 1769385600000
-- p4 = 86400000
-- p5 = 1
-- p6 = "$pageview"
-- p7 = "2026-01-26 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
