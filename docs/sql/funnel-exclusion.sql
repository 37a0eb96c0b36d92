-- GET persons/funnel?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%2C%7B%22id%22%3A%22signed+up%22%7D%2C%7B%22id%22%3A%22bought%22%7D%5D&exclusions=%5B%7B%22id%22%3A%22cancelled%22%2C%22funnel_from_step%22%3A0%2C%22funnel_to_step%22%3A1%7D%5D&date_from=2026-02-01&date_to=2026-02-28

SELECT [countIf(reach >= 1), countIf(reach >= 2), countIf(reach >= 3)] AS counts,
      avgForEach(times) AS averages, quantileExactInclusiveForEach(0.5)(times) AS medians
    FROM (
    SELECT reach, arrayResize([if(reach > 1, arrayAvg(a -> toInt64(a.3 - a.2), tries) / 1000, 0), if(reach > 2, arrayAvg(a -> toInt64(a.4 - a.3), tries) / 1000, 0)]::Array(Float64), reach - 1) AS times
    FROM (
    SELECT actor, reach, arrayFilter(a -> a.1 = reach, attempts) AS tries
    FROM (SELECT *, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter(c -> NOT ((c.1 <= c.1 + {p1:UInt64} AND c.4 < if(c.2 <= c.1 + {p1:UInt64}, c.2, c.1 + {p1:UInt64} + 1))), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events))) AS attempts FROM (SELECT *, c0 AS chains FROM (SELECT * EXCEPT (g1), arrayMap((event, n1, y0) -> tuple(bitShiftRight(event, 4), n1.1, n1.2, y0), events, g1, x0) AS c0 FROM (SELECT * EXCEPT (c1), arrayReverseFill((c, event) -> bitAnd(event, 4) > 0, c1, events) AS g1 FROM (SELECT * EXCEPT (g2), arrayMap((event, n2) -> tuple(bitShiftRight(event, 4), n2.1), events, g2) AS c1 FROM (SELECT * EXCEPT (c2), arrayReverseFill((c, event) -> bitAnd(event, 8) > 0, c2, events) AS g2 FROM (SELECT *, arrayMap((event) -> tuple(bitShiftRight(event, 4)), events) AS c2 FROM (SELECT * EXCEPT (times), arrayPushBack(arrayPopFront(arrayReverseFill((time, event) -> bitAnd(event, 1) > 0, times, events)), {p2:UInt64}) AS x0 FROM (SELECT *, arrayMap(event -> bitShiftRight(event, 4), events) AS times FROM (SELECT * EXCEPT (found), arrayPushBack(arrayCompact(found), bitShiftLeft(toUInt64({p2:UInt64}), 4) + 15) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 2 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 4) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.event IN ({p7:String}, {p8:String}, {p9:String}, {p10:String}) AND e.timestamp >= {p11:DateTime64(3, 'UTC')} AND e.timestamp <= {p12:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 2) > 0, found)))))))))))) WHERE notEmpty(attempts)))));
-- p1 = 1209600000
-- p2 = "576460752303423487"
-- p3 = ["cancelled","$pageview","signed up","bought"]
-- p4 = [1,2,4,8]
-- p5 = 1769904000000
-- p6 = 1
-- p7 = "$pageview"
-- p8 = "signed up"
-- p9 = "bought"
-- p10 = "cancelled"
-- p11 = "2026-02-01 00:00:00.000"
-- p12 = "2026-02-28 23:59:59.999"

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
    SELECT actor FROM (SELECT actor, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter(c -> NOT ((c.1 <= c.1 + {p1:UInt64} AND c.4 < if(c.2 <= c.1 + {p1:UInt64}, c.2, c.1 + {p1:UInt64} + 1))), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events))) AS attempts FROM (SELECT *, c0 AS chains FROM (SELECT * EXCEPT (g1), arrayMap((event, n1, y0) -> tuple(bitShiftRight(event, 4), n1.1, n1.2, y0), events, g1, x0) AS c0 FROM (SELECT * EXCEPT (c1), arrayReverseFill((c, event) -> bitAnd(event, 4) > 0, c1, events) AS g1 FROM (SELECT * EXCEPT (g2), arrayMap((event, n2) -> tuple(bitShiftRight(event, 4), n2.1), events, g2) AS c1 FROM (SELECT * EXCEPT (c2), arrayReverseFill((c, event) -> bitAnd(event, 8) > 0, c2, events) AS g2 FROM (SELECT *, arrayMap((event) -> tuple(bitShiftRight(event, 4)), events) AS c2 FROM (SELECT * EXCEPT (times), arrayPushBack(arrayPopFront(arrayReverseFill((time, event) -> bitAnd(event, 1) > 0, times, events)), {p2:UInt64}) AS x0 FROM (SELECT *, arrayMap(event -> bitShiftRight(event, 4), events) AS times FROM (SELECT * EXCEPT (found), arrayPushBack(arrayCompact(found), bitShiftLeft(toUInt64({p2:UInt64}), 4) + 15) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 2 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 4) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.event IN ({p7:String}, {p8:String}, {p9:String}, {p10:String}) AND e.timestamp >= {p11:DateTime64(3, 'UTC')} AND e.timestamp <= {p12:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 2) > 0, found)))))))))))) WHERE notEmpty(attempts)))
    WHERE reach >= {p13:UInt64})
  ORDER BY actor
  LIMIT {p14:UInt64} OFFSET {p15:UInt64};
-- p1 = 1209600000
-- p2 = "576460752303423487"
-- p3 = ["cancelled","$pageview","signed up","bought"]
-- p4 = [1,2,4,8]
-- p5 = 1769904000000
-- p6 = 1
-- p7 = "$pageview"
-- p8 = "signed up"
-- p9 = "bought"
-- p10 = "cancelled"
-- p11 = "2026-02-01 00:00:00.000"
-- p12 = "2026-02-28 23:59:59.999"
-- p13 = 1
-- p14 = 100
-- p15 = 0
