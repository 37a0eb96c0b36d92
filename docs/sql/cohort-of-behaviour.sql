-- POST cohorts/preview?

SELECT count() AS count, arrayMap(id -> toString(id), groupArraySorted(10)(actor)) AS sample
  FROM (
    SELECT p.id AS actor FROM persons AS p FINAL GLOBAL ANY LEFT JOIN (
    SELECT e.actor AS actor, countIf(e.event = {p1:String} AND e.timestamp >= {p2:DateTime64(3, 'UTC')} AND e.timestamp <= {p3:DateTime64(3, 'UTC')}) AS `c0_times`
    FROM events AS e
    WHERE e.project_id = {p4:UInt64} AND e.event IN ({p5:String}) AND e.timestamp >= {p6:DateTime64(3, 'UTC')}
    GROUP BY actor) AS b ON b.actor = p.id
    WHERE p.project_id = {p7:UInt64} AND ((b.`c0_times` > 0 AND b.`c0_times` >= {p8:UInt64}) AND ifNull(p.properties.`plan`.:String = {p9:String}, false)));
-- p1 = "$pageview"
-- p2 = "2026-01-30 00:00:00.000"
-- p3 = "2026-03-01 12:00:00.000"
-- p4 = 1
-- p5 = "$pageview"
-- p6 = "2026-01-30 00:00:00.000"
-- p7 = 1
-- p8 = 2
-- p9 = "pro"
