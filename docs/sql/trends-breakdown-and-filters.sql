-- GET persons/trends?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%5D&breakdown=plan&breakdown_type=person&properties=%5B%7B%22key%22%3A%22price%22%2C%22value%22%3A10%2C%22operator%22%3A%22lt%22%2C%22type%22%3A%22event%22%7D%5D&date_from=2026-02-01&date_to=2026-02-28

SELECT key FROM (SELECT bp.`value_0` AS key FROM events AS e GLOBAL ANY LEFT JOIN (
    SELECT id, ifNull(properties.`plan`::Nullable(String), '') AS `value_0` FROM persons FINAL WHERE project_id = {p1:UInt64}
  ) AS bp ON bp.id = e.actor WHERE e.project_id = {p2:UInt64} AND e.event IN ({p3:String}) AND e.timestamp >= {p4:DateTime64(3, 'UTC')} AND e.timestamp <= {p5:DateTime64(3, 'UTC')} AND (ifNull(ifNull(if(isFinite(toFloat64OrNull(e.properties.`price`::Nullable(String))), toFloat64OrNull(e.properties.`price`::Nullable(String)), NULL) < {p6:Float64}, false), false)))
  GROUP BY key ORDER BY count() DESC, key
  LIMIT {p7:UInt64};
-- p1 = 1
-- p2 = 1
-- p3 = "$pageview"
-- p4 = "2026-02-01 00:00:00.000"
-- p5 = "2026-02-28 23:59:59.999"
-- p6 = 10
-- p7 = 26

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT e.actor AS actor, count() AS value
    FROM events AS e WHERE e.project_id = {p1:UInt64} AND e.event IN ({p2:String}) AND e.timestamp >= {p3:DateTime64(3, 'UTC')} AND e.timestamp <= {p4:DateTime64(3, 'UTC')} AND (ifNull(ifNull(if(isFinite(toFloat64OrNull(e.properties.`price`::Nullable(String))), toFloat64OrNull(e.properties.`price`::Nullable(String)), NULL) < {p5:Float64}, false), false)) GROUP BY actor)
  ORDER BY value DESC, actor
  LIMIT {p6:UInt64} OFFSET {p7:UInt64};
-- p1 = 1
-- p2 = "$pageview"
-- p3 = "2026-02-01 00:00:00.000"
-- p4 = "2026-02-28 23:59:59.999"
-- p5 = 10
-- p6 = 100
-- p7 = 0

SELECT toUInt16(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p1:Int64}), {p2:Int64})) AS at, toUInt32(transform(bp.`value_0`, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS place, count() AS `n0` FROM events AS e GLOBAL ANY LEFT JOIN (
    SELECT id, ifNull(properties.`plan`::Nullable(String), '') AS `value_0` FROM persons FINAL WHERE project_id = {p5:UInt64}
  ) AS bp ON bp.id = e.actor WHERE e.project_id = {p6:UInt64} AND e.event IN ({p7:String}) AND e.timestamp >= {p8:DateTime64(3, 'UTC')} AND e.timestamp <= {p9:DateTime64(3, 'UTC')} AND (ifNull(ifNull(if(isFinite(toFloat64OrNull(e.properties.`price`::Nullable(String))), toFloat64OrNull(e.properties.`price`::Nullable(String)), NULL) < {p10:Float64}, false), false)) GROUP BY at, place;
-- p1 = 1769904000000
-- p2 = 86400000
-- p3 = ["pro"]
-- p4 = [1]
-- p5 = 1
-- p6 = 1
-- p7 = "$pageview"
-- p8 = "2026-02-01 00:00:00.000"
-- p9 = "2026-02-28 23:59:59.999"
-- p10 = 10
