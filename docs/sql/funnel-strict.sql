-- GET persons/funnel?events=%5B%7B%22id%22%3A%22%24pageview%22%7D%2C%7B%22id%22%3A%22signed+up%22%7D%2C%7B%22id%22%3A%22bought%22%7D%5D&funnel_order_type=strict&date_from=2026-02-01&date_to=2026-02-28

SELECT [countIf(reach >= 1), countIf(reach >= 2), countIf(reach >= 3)] AS counts,
      avgForEach(times) AS averages, quantileExactInclusiveForEach(0.5)(times) AS medians
    FROM (
    SELECT reach, arrayResize([if(reach > 1, arrayAvg(a -> toInt64(a.3 - a.2), tries) / 1000, 0), if(reach > 2, arrayAvg(a -> toInt64(a.4 - a.3), tries) / 1000, 0)]::Array(Float64), reach - 1) AS times
    FROM (
    SELECT actor, reach, arrayFilter(a -> a.1 = reach, attempts) AS tries
    FROM (SELECT *, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events)) AS attempts FROM (SELECT *, arrayMap((event, n, run, take, f1, f2) -> multiIf(take = 2, tuple(bitShiftRight(event, 3), bitShiftRight(event, 3), f2.1), take = 3, tuple(bitShiftRight(event, 3), bitShiftRight(event, 3), bitShiftRight(event, 3)), tuple(bitShiftRight(event, 3), f1.1, f1.2)), events, many, runs, taken, f1, f2) AS chains FROM (SELECT *, arrayMap((event, n, run, f1, f2) -> bitAnd(greatest(if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 1, toUInt16((1 + (f1.1 <= bitShiftRight(event, 3) + {p1:UInt64}) + (f1.2 <= bitShiftRight(event, 3) + {p1:UInt64})) * 32 + 1), toUInt16(0)), if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 2, toUInt16((2 + (f2.1 <= bitShiftRight(event, 3) + {p1:UInt64})) * 32 + 2), toUInt16(0)), if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 3, toUInt16((3) * 32 + 3), toUInt16(0))), 31), events, many, runs, f1, f2) AS taken FROM (SELECT * EXCEPT (d1), arrayPushBack(arrayPopFront(d1), arrayElement(d1, -1)) AS f1 FROM (SELECT *, arrayMap((event, n, run, f2) -> multiIf(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) = 1 AND n = 1, tuple(bitShiftRight(event, 3), f2.1), tuple(if(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) > 0, bitShiftRight(event, 3), {p2:UInt64}), if(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) > 1, bitShiftRight(event, 3), {p2:UInt64}))), events, many, runs, f2) AS d1 FROM (SELECT * EXCEPT (d2), arrayPushBack(arrayPopFront(d2), arrayElement(d2, -1)) AS f2 FROM (SELECT *, arrayMap((event, n, run) -> tuple(if(if(n = 1, toUInt8(bitAnd(event, 4) > 0), run[3]) > 0, bitShiftRight(event, 3), {p2:UInt64})), events, many, runs) AS d2 FROM (
    SELECT * EXCEPT (crowds), arrayMap(run -> run.2, arraySort(run -> run.1, arrayConcat(arrayMap(place -> (place, []::Array(UInt8)), arrayFilter((place, n) -> n = 1, arrayEnumerate(many), many)), arrayMap((place, masks) -> (place, arrayMap(from -> toUInt8(arrayCount(step -> step > 0, (arrayFold((run, x) -> if(run.1 = 0, run, arrayMap(start -> tuple(toUInt8(start.1 > 0), (arrayFold((path, n) -> if(path.1 = 0, path, tuple(
      if(path.3[path.1] = x, toUInt64(0), toUInt64(indexOf(path.2, path.3[path.1]))),
      arrayMap((step, at) -> if(at = path.1, path.3[at], step), path.2, arrayEnumerate(path.2)),
      path.3)), masks, start)).2),
    arrayMap(via -> tuple(toUInt64(arrayFirstIndex((way, step) -> way > 0 AND step = 0, via, run.2)), run.2, via), [arrayFold((via, n) ->
    arrayMap((way, useful) -> if(way > 0, way, bitAnd(useful, bitNot(useful) + 1)),
      via, arrayMap((mask, all) -> bitAnd(mask, all), masks, arrayMap(mask -> bitOr(x, arrayReduce('groupBitOr', arrayMap((step, way) -> if(way > 0, step, toUInt64(0)), run.2, via))), masks))),
    masks, arrayMap(mask -> toUInt64(0), masks))]))[1]),
    arrayMap(at -> bitShiftLeft(toUInt64(1), at), range(from, 3)), tuple(toUInt8(1), arrayMap(mask -> toUInt64(0), masks)))).2)), range(3))),
    arrayFilter((place, n) -> n > 1, arrayEnumerate(many), many), arrayFilter((masks, n) -> n > 1, crowds, many))))) AS runs
    FROM (
      SELECT *, arrayMap(masks -> toUInt32(length(masks)), crowds) AS many
      FROM (SELECT * EXCEPT (together), arraySplit((bits, event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), arrayMap(event -> toUInt64(bitShiftRight(toUInt32(bitAnd(event, 7)), 0)), together), together, arrayPushFront(arrayPopBack(together), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)) AS crowds FROM (
    SELECT * EXCEPT (places), arrayMap(
      (event, bits) -> bitOr(event, bits),
      arrayFilter((event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), together, arrayPushFront(arrayPopBack(together), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)),
      arrayReduceInRanges('groupBitOr',
        arrayMap((place, next) -> (place, toUInt32(next - place)), places,
          arrayPushBack(arrayPopFront(places), length(together) + 1)),
        arrayMap(event -> toUInt32(bitAnd(event, 7)), together))) AS events
    FROM (
      SELECT * EXCEPT (events), events AS together,
        arrayFilter((place, event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), arrayEnumerate(events),
          events, arrayPushFront(arrayPopBack(events), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)) AS places
      FROM (SELECT * EXCEPT (found), arrayPushBack(found, bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 1 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 3) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 1) > 0, found))))))))))))))) WHERE notEmpty(attempts)))));
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
    SELECT actor FROM (SELECT actor, arrayMax(a -> a.1, attempts) AS reach FROM (SELECT * FROM (SELECT actor, arrayMap(c -> (toUInt8(1 + (c.2 <= c.1 + {p1:UInt64}) + (c.3 <= c.1 + {p1:UInt64})), c.1, c.2, c.3), arrayFilter((c, event) -> c.1 < {p2:UInt64} AND bitAnd(event, start) > 0, chains, events)) AS attempts FROM (SELECT *, arrayMap((event, n, run, take, f1, f2) -> multiIf(take = 2, tuple(bitShiftRight(event, 3), bitShiftRight(event, 3), f2.1), take = 3, tuple(bitShiftRight(event, 3), bitShiftRight(event, 3), bitShiftRight(event, 3)), tuple(bitShiftRight(event, 3), f1.1, f1.2)), events, many, runs, taken, f1, f2) AS chains FROM (SELECT *, arrayMap((event, n, run, f1, f2) -> bitAnd(greatest(if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 1, toUInt16((1 + (f1.1 <= bitShiftRight(event, 3) + {p1:UInt64}) + (f1.2 <= bitShiftRight(event, 3) + {p1:UInt64})) * 32 + 1), toUInt16(0)), if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 2, toUInt16((2 + (f2.1 <= bitShiftRight(event, 3) + {p1:UInt64})) * 32 + 2), toUInt16(0)), if(if(n = 1, toUInt8(bitAnd(event, 1) > 0), run[1]) >= 3, toUInt16((3) * 32 + 3), toUInt16(0))), 31), events, many, runs, f1, f2) AS taken FROM (SELECT * EXCEPT (d1), arrayPushBack(arrayPopFront(d1), arrayElement(d1, -1)) AS f1 FROM (SELECT *, arrayMap((event, n, run, f2) -> multiIf(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) = 1 AND n = 1, tuple(bitShiftRight(event, 3), f2.1), tuple(if(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) > 0, bitShiftRight(event, 3), {p2:UInt64}), if(if(n = 1, toUInt8(bitAnd(event, 2) > 0), run[2]) > 1, bitShiftRight(event, 3), {p2:UInt64}))), events, many, runs, f2) AS d1 FROM (SELECT * EXCEPT (d2), arrayPushBack(arrayPopFront(d2), arrayElement(d2, -1)) AS f2 FROM (SELECT *, arrayMap((event, n, run) -> tuple(if(if(n = 1, toUInt8(bitAnd(event, 4) > 0), run[3]) > 0, bitShiftRight(event, 3), {p2:UInt64})), events, many, runs) AS d2 FROM (
    SELECT * EXCEPT (crowds), arrayMap(run -> run.2, arraySort(run -> run.1, arrayConcat(arrayMap(place -> (place, []::Array(UInt8)), arrayFilter((place, n) -> n = 1, arrayEnumerate(many), many)), arrayMap((place, masks) -> (place, arrayMap(from -> toUInt8(arrayCount(step -> step > 0, (arrayFold((run, x) -> if(run.1 = 0, run, arrayMap(start -> tuple(toUInt8(start.1 > 0), (arrayFold((path, n) -> if(path.1 = 0, path, tuple(
      if(path.3[path.1] = x, toUInt64(0), toUInt64(indexOf(path.2, path.3[path.1]))),
      arrayMap((step, at) -> if(at = path.1, path.3[at], step), path.2, arrayEnumerate(path.2)),
      path.3)), masks, start)).2),
    arrayMap(via -> tuple(toUInt64(arrayFirstIndex((way, step) -> way > 0 AND step = 0, via, run.2)), run.2, via), [arrayFold((via, n) ->
    arrayMap((way, useful) -> if(way > 0, way, bitAnd(useful, bitNot(useful) + 1)),
      via, arrayMap((mask, all) -> bitAnd(mask, all), masks, arrayMap(mask -> bitOr(x, arrayReduce('groupBitOr', arrayMap((step, way) -> if(way > 0, step, toUInt64(0)), run.2, via))), masks))),
    masks, arrayMap(mask -> toUInt64(0), masks))]))[1]),
    arrayMap(at -> bitShiftLeft(toUInt64(1), at), range(from, 3)), tuple(toUInt8(1), arrayMap(mask -> toUInt64(0), masks)))).2)), range(3))),
    arrayFilter((place, n) -> n > 1, arrayEnumerate(many), many), arrayFilter((masks, n) -> n > 1, crowds, many))))) AS runs
    FROM (
      SELECT *, arrayMap(masks -> toUInt32(length(masks)), crowds) AS many
      FROM (SELECT * EXCEPT (together), arraySplit((bits, event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), arrayMap(event -> toUInt64(bitShiftRight(toUInt32(bitAnd(event, 7)), 0)), together), together, arrayPushFront(arrayPopBack(together), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)) AS crowds FROM (
    SELECT * EXCEPT (places), arrayMap(
      (event, bits) -> bitOr(event, bits),
      arrayFilter((event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), together, arrayPushFront(arrayPopBack(together), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)),
      arrayReduceInRanges('groupBitOr',
        arrayMap((place, next) -> (place, toUInt32(next - place)), places,
          arrayPushBack(arrayPopFront(places), length(together) + 1)),
        arrayMap(event -> toUInt32(bitAnd(event, 7)), together))) AS events
    FROM (
      SELECT * EXCEPT (events), events AS together,
        arrayFilter((place, event, before) -> bitShiftRight(event, 3) != bitShiftRight(before, 3), arrayEnumerate(events),
          events, arrayPushFront(arrayPopBack(events), bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7)) AS places
      FROM (SELECT * EXCEPT (found), arrayPushBack(found, bitShiftLeft(toUInt64({p2:UInt64}), 3) + 7) AS events FROM (
    SELECT actor, arraySort(groupArray(event)) AS found, 1 AS start
    FROM (SELECT e.actor AS actor, toUInt32(transform(e.event, {p3:Array(String)}, {p4:Array(UInt64)}, toUInt64(0))) AS mask, bitShiftLeft(toUInt64(toUnixTimestamp64Milli(e.timestamp) - {p5:Int64}), 3) + mask AS event FROM events AS e WHERE e.project_id = {p6:UInt64} AND e.timestamp >= {p7:DateTime64(3, 'UTC')} AND e.timestamp <= {p8:DateTime64(3, 'UTC')} AND true)
    GROUP BY actor HAVING arrayExists(event -> bitAnd(event, 1) > 0, found))))))))))))))) WHERE notEmpty(attempts)))
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
