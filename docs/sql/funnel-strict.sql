-- GET persons/funnel?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%2C%7B%22id%22%3A%22signed+up%22%7D%2C%7B%22id%22%3A%22bought%22%7D%5D&funnel_order_type=strict&date_from=2026-02-01&date_to=2026-02-28

SELECT [countIf(reach >= 1), countIf(reach >= 2), countIf(reach >= 3)] AS counts,
      avgForEach(times) AS averages, quantileExactInclusiveForEach(0.5)(times) AS medians
    FROM (
    SELECT reach, arrayResize([if(reach > 1, arrayAvg(a -> toInt64(a.3 - a.2), tries) / 1000, 0), if(reach > 2, arrayAvg(a -> toInt64(a.4 - a.3), tries) / 1000, 0)]::Array(Float64), reach - 1) AS times
    FROM (
  SELECT actor, reach, arrayFilter(a -> a.1 = reach, attempts) AS tries
  FROM (SELECT *, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events)) AS attempts FROM (SELECT *, arrayMap((e0, e1, e2) -> tuple(if(bitAnd(e0, 1) > 0, bitShiftRight(e0, 3), {p2:UInt64}), if(bitAnd(e0, 1) > 0 AND bitAnd(e1, 2) > 0, bitShiftRight(e1, 3), {p2:UInt64}), if(bitAnd(e0, 1) > 0 AND bitAnd(e1, 2) > 0 AND bitAnd(e2, 4) > 0, bitShiftRight(e2, 3), {p2:UInt64})), events, arrayResize(arraySlice(events, 2), length(events), arrayElement(events, -1)), arrayResize(arraySlice(events, 3), length(events), arrayElement(events, -1))) AS chains FROM (SELECT * EXCEPT (found), arrayPushBack(found, bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 1 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 3) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 1) > 0, found))))) WHERE notEmpty(attempts)))));
-- p1 = 1209600000
-- p2 = "1152921504606846975"
-- p3 = ["$pageview","signed up","bought"]
-- p4 = [1,2,4]
-- p5 = 1769904000000
-- p6 = 1
-- p7 = "2026-02-01 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
  SELECT actor FROM (SELECT actor, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events)) AS attempts FROM (SELECT *, arrayMap((e0, e1, e2) -> tuple(if(bitAnd(e0, 1) > 0, bitShiftRight(e0, 3), {p2:UInt64}), if(bitAnd(e0, 1) > 0 AND bitAnd(e1, 2) > 0, bitShiftRight(e1, 3), {p2:UInt64}), if(bitAnd(e0, 1) > 0 AND bitAnd(e1, 2) > 0 AND bitAnd(e2, 4) > 0, bitShiftRight(e2, 3), {p2:UInt64})), events, arrayResize(arraySlice(events, 2), length(events), arrayElement(events, -1)), arrayResize(arraySlice(events, 3), length(events), arrayElement(events, -1))) AS chains FROM (SELECT * EXCEPT (found), arrayPushBack(found, bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 1 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 3) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 1) > 0, found))))) WHERE notEmpty(attempts)))
  WHERE reach >= {p9:UInt64})
  ORDER BY actor
  LIMIT {p10:UInt64} OFFSET {p11:UInt64};
-- p1 = 1209600000
-- p2 = "1152921504606846975"
-- p3 = ["$pageview","signed up","bought"]
-- p4 = [1,2,4]
-- p5 = 1769904000000
-- p6 = 1
-- p7 = "2026-02-01 00:00:00.000"
-- p8 = "2026-02-28 23:59:59.999"
-- p9 = 1
-- p10 = 100
-- p11 = 0
