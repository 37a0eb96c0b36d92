-- GET persons/trends?events=%5B%7B%22id%22%3A%22bought%22%2C%22math%22%3A%22avg%22%2C%22math_property%22%3A%22price%22%7D%5D&date_from=2026-02-01&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT e.actor AS actor, avg(if(isFinite(multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String)))), multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String))), NULL)) AS value
    FROM events AS e WHERE e.project_id = {p1:UInt64} AND e.event IN ({p2:String}) AND e.timestamp >= {p3:DateTime64(3, 'UTC')} AND e.timestamp <= {p4:DateTime64(3, 'UTC')} AND true AND if(isFinite(multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String)))), multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String))), NULL) IS NOT NULL GROUP BY actor)
  ORDER BY value DESC, actor
  LIMIT {p5:UInt64} OFFSET {p6:UInt64};
-- p1 = 1
-- p2 = "bought"
-- p3 = "2026-02-01 00:00:00.000"
-- p4 = "2026-02-28 23:59:59.999"
-- p5 = 100
-- p6 = 0

SELECT toUInt16(intDiv((toUnixTimestamp64Milli(e.timestamp) - {p1:Int64}), {p2:Int64})) AS at, avg(if(isFinite(multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String)))), multiIf(isNotNull(e.properties.`price`.:Float64), e.properties.`price`.:Float64, isNotNull(e.properties.`price`.:Int64), toFloat64(e.properties.`price`.:Int64),
    toFloat64OrNull(e.properties.`price`::Nullable(String))), NULL)) AS `n0` FROM events AS e WHERE e.project_id = {p3:UInt64} AND e.event IN ({p4:String}) AND e.timestamp >= {p5:DateTime64(3, 'UTC')} AND e.timestamp <= {p6:DateTime64(3, 'UTC')} AND true GROUP BY at;
-- p1 = 1769904000000
-- p2 = 86400000
-- p3 = 1
-- p4 = "bought"
-- p5 = "2026-02-01 00:00:00.000"
-- p6 = "2026-02-28 23:59:59.999"
