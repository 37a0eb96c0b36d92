-- GET persons/stickiness?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%5D&stickiness_days=1&date_from=2026-02-01&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (SELECT actor, active FROM (SELECT e.actor AS actor, bitCount(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p1:Int64}), {p2:Int64}))))) AS active FROM events AS e WHERE e.project_id = {p3:UInt64} AND e.event IN ({p4:String}) AND e.timestamp >= {p5:DateTime64(3, 'UTC')} AND e.timestamp <= {p6:DateTime64(3, 'UTC')} AND true GROUP BY actor) WHERE active = {p7:UInt64})
  ORDER BY actor
  LIMIT {p8:UInt64} OFFSET {p9:UInt64};
-- p1 = 1769904000000
-- p2 = 86400000
-- p3 = 1
-- p4 = "$pageview"
-- p5 = "2026-02-01 00:00:00.000"
-- p6 = "2026-02-28 23:59:59.999"
-- p7 = 1
-- p8 = 100
-- p9 = 0

SELECT toUInt32(active) AS intervals, count() AS persons
  FROM (SELECT e.actor AS actor, bitCount(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p1:Int64}), {p2:Int64}))))) AS active FROM events AS e WHERE e.project_id = {p3:UInt64} AND e.event IN ({p4:String}) AND e.timestamp >= {p5:DateTime64(3, 'UTC')} AND e.timestamp <= {p6:DateTime64(3, 'UTC')} AND true GROUP BY actor)
  GROUP BY active ORDER BY active;
-- p1 = 1769904000000
-- p2 = 86400000
-- p3 = 1
-- p4 = "$pageview"
-- p5 = "2026-02-01 00:00:00.000"
-- p6 = "2026-02-28 23:59:59.999"
