-- GET persons/funnel?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%2C%7B%22id%22%3A%22signed+up%22%7D%2C%7B%22id%22%3A%22bought%22%7D%5D&funnel_viz_type=time_to_convert&conversion_time_from=3600&conversion_time_to=7200&include=persons&date_from=2026-02-01&date_to=2026-02-28

SELECT toString(actor) AS actor_id, count() OVER () AS total, * EXCEPT (actor)
  FROM (
  SELECT actor FROM (SELECT actor, arrayAvg(a -> toInt64(a.4 - a.2), tries) / 1000 AS seconds FROM (
    SELECT actor, reach, arrayFilter(a -> a.1 = reach, attempts) AS tries
    FROM (SELECT *, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (
    SELECT actor, arrayMap((e0, e1, e2) -> (toUInt8(1 + (bitShiftRight(e1, 3) <= bitShiftRight(e0, 3) + {p1:UInt64}) + (bitShiftRight(e2, 3) <= bitShiftRight(e0, 3) + {p1:UInt64})), bitShiftRight(e0, 3), bitShiftRight(e1, 3), bitShiftRight(e2, 3)), arrayFilter((found, event) -> bitAnd(event, 1) > 0 AND event < bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7, events, events), arrayFilter((found, event) -> bitAnd(event, 1) > 0 AND event < bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7, arrayReverseFill((found, event) -> bitAnd(event, 2) > 0, events, events), events), arrayFilter((found, event) -> bitAnd(event, 1) > 0 AND event < bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7, arrayReverseFill((found, event) -> bitAnd(event, 2) > 0, arrayReverseFill((found, event) -> bitAnd(event, 4) > 0, events, events), events), events)) AS attempts
    FROM (SELECT * EXCEPT (found), arrayPushBack(arrayCompact(found), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 1 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 3) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.event IN ({p7:String}, {p8:String}, {p9:String}) AND e.timestamp >= {p10:DateTime64(3, 'UTC')} AND e.timestamp <= {p11:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 1) > 0, found)))) WHERE notEmpty(attempts)))) WHERE reach > 2)
  WHERE seconds >= {p12:Int64} AND seconds < {p13:Int64})
  ORDER BY actor
  LIMIT {p14:UInt64} OFFSET {p15:UInt64};
-- p1 = 1209600000
-- p2 = "1152921504606846975"
-- p3 = ["$pageview","signed up","bought"]
-- p4 = [1,2,4]
-- p5 = 1769904000000
-- p6 = 1
-- p7 = "$pageview"
-- p8 = "signed up"
-- p9 = "bought"
-- p10 = "2026-02-01 00:00:00.000"
-- p11 = "2026-02-28 23:59:59.999"
-- p12 = 3600
-- p13 = 7200
-- p14 = 100
-- p15 = 0
