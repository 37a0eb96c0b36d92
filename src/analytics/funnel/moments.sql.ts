import { type Sql, numeral, sql } from '../../platform/clickhouse/sql.js';
import { bitsOf, hasAny, isDisjoint, neverEvent, stepBit, timeOf, type Layout } from './layout.sql.js';

/** True if the events of one moment must be joined: always, except in an ordered funnel whose steps share no events. */
export const needsMoments = ({ definition }: Layout): boolean =>
  definition.orderType !== 'ordered' || !isDisjoint(definition);

/**
 * True if the number of events of a moment matters, because several steps may share them or, in a strict funnel, none may
 * remain.
 */
const needsRuns = ({ definition }: Layout): boolean =>
  definition.orderType === 'strict' || (definition.orderType === 'ordered' && !isDisjoint(definition));

/** True if steps of an unordered funnel may share events, so that each step takes an event of its own. */
export const needsTicks = ({ definition }: Layout): boolean =>
  definition.orderType === 'unordered' && !isDisjoint(definition);

const before = (events: Sql, layout: Layout): Sql =>
  sql`arrayPushFront(arrayPopBack(${events}), ${neverEvent(layout)})`;

/**
 * Joins the events of one moment into one event that has the bits of all, and adds the columns that tell what the events of a
 * moment convert together. The time is linear in the number of events.
 */
export const byMoment = (layout: Layout, closed: Sql): Sql => {
  const time = (event: Sql) => timeOf(layout, event);
  const first = sql`${time(sql`event`)} != ${time(sql`before`)}`;
  const joined = sql`
    SELECT * EXCEPT (places), arrayMap(
      (event, bits) -> bitOr(event, bits),
      arrayFilter((event, before) -> ${first}, together, ${before(sql`together`, layout)}),
      arrayReduceInRanges('groupBitOr',
        arrayMap((place, next) -> (place, toUInt32(next - place)), places,
          arrayPushBack(arrayPopFront(places), length(together) + 1)),
        arrayMap(event -> ${bitsOf(layout, sql`event`)}, together))) AS events
    FROM (
      SELECT * EXCEPT (events), events AS together,
        arrayFilter((place, event, before) -> ${first}, arrayEnumerate(events),
          events, ${before(sql`events`, layout)}) AS places
      FROM (${closed}))`;
  if (needsRuns(layout)) return withRuns(layout, first, joined);
  return needsTicks(layout) ? withTicks(layout, first, joined) : sql`SELECT * EXCEPT (together) FROM (${joined})`;
};

/**
 * Adds `many`, the number of events of each moment, and `runs`: for each step, how many steps from there on have an event of their
 * own at the moment. `runs` is empty at moments of one event, whose bits tell the same; few moments have more.
 */
const withRuns = (layout: Layout, first: Sql, joined: Sql): Sql => {
  const steps = sql`toUInt64(bitShiftRight(${bitsOf(layout, sql`event`)}, ${numeral(layout.definition.exclusions.length)}))`;
  const crowds = sql`arraySplit((bits, event, before) -> ${first}, arrayMap(event -> ${steps}, together), together, ${before(sql`together`, layout)})`;
  const alone = sql`arrayMap(place -> (place, []::Array(UInt8)), arrayFilter((place, n) -> n = 1, arrayEnumerate(many), many))`;
  const crowded = sql`arrayMap((place, masks) -> (place, ${runsOf(layout)}),
    arrayFilter((place, n) -> n > 1, arrayEnumerate(many), many), arrayFilter((masks, n) -> n > 1, crowds, many))`;
  return sql`
    SELECT * EXCEPT (crowds), arrayMap(run -> run.2, arraySort(run -> run.1, arrayConcat(${alone}, ${crowded}))) AS runs
    FROM (
      SELECT *, arrayMap(masks -> toUInt32(length(masks)), crowds) AS many
      FROM (SELECT * EXCEPT (together), ${crowds} AS crowds FROM (${joined})))`;
};

const noSteps = sql`arrayMap(mask -> toUInt64(0), masks)`;

/**
 * The runs of a moment whose events have these `masks` of steps. Steps take events one after the other, and a step whose event is
 * taken looks for another one (Kuhn's algorithm): `run` is whether all steps so far have an event, and the step of each event.
 * `via` is the step by which each event can be freed for step `x`, and `path` exchanges the steps along the way to a free event.
 */
const runsOf = ({ definition: { steps } }: Layout): Sql => {
  const count = numeral(steps.length);
  const candidates = sql`bitOr(x, arrayReduce('groupBitOr', arrayMap((step, way) -> if(way > 0, step, toUInt64(0)), run.2, via)))`;
  const via = sql`arrayFold((via, n) ->
    arrayMap((way, useful) -> if(way > 0, way, bitAnd(useful, bitNot(useful) + 1)),
      via, arrayMap((mask, all) -> bitAnd(mask, all), masks, arrayMap(mask -> ${candidates}, masks))),
    masks, ${noSteps})`;
  const exchanged = sql`arrayFold((path, n) -> if(path.1 = 0, path, tuple(
      if(path.3[path.1] = x, toUInt64(0), toUInt64(indexOf(path.2, path.3[path.1]))),
      arrayMap((step, at) -> if(at = path.1, path.3[at], step), path.2, arrayEnumerate(path.2)),
      path.3)), masks, start)`;
  const free = sql`toUInt64(arrayFirstIndex((way, step) -> way > 0 AND step = 0, via, run.2))`;
  const next = sql`arrayMap(start -> tuple(toUInt8(start.1 > 0), (${exchanged}).2),
    arrayMap(via -> tuple(${free}, run.2, via), [${via}]))[1]`;
  return sql`arrayMap(from -> toUInt8(arrayCount(step -> step > 0, (arrayFold((run, x) -> if(run.1 = 0, run, ${next}),
    arrayMap(at -> bitShiftLeft(toUInt64(1), at), range(from, ${count})), tuple(toUInt8(1), ${noSteps}))).2)), range(${count}))`;
};

/**
 * The number of steps, from this one on, that a position converts; `event`, `n` and `run` are the position's elements of
 * `events`, `many` and `runs`.
 */
export const runFrom = (layout: Layout, step: number): Sql =>
  sql`if(n = 1, toUInt8(${hasAny(sql`event`, stepBit(layout, step))}), run[${numeral(step + 1)}])`;

/** The tick of the never event. Ticks of other events are far smaller, because their times are those of dates. */
const neverTick = sql`toUInt64(9223372036854775807)`;
const tickBits = sql`16`;

/**
 * Adds `each`, the single events; `ticks`, their times with a number that tells the events of a moment apart; and `leads`, whether
 * an event is the first one of its moment.
 */
const withTicks = (layout: Layout, first: Sql, joined: Sql): Sql => {
  const tick = sql`bitShiftLeft(toUInt64(${timeOf(layout, sql`event`)}), ${tickBits}) + bitAnd(at, 65535)`;
  return sql`
    SELECT * EXCEPT (together), together AS each,
      arrayMap((event, at) -> if(event = ${neverEvent(layout)}, ${neverTick}, ${tick}), together, arrayEnumerate(together)) AS ticks,
      arrayMap((event, before) -> ${first}, together, ${before(sql`together`, layout)}) AS leads
    FROM (${joined})`;
};

/** The time of the never event, or its tick where steps choose among single events. */
export const never = (layout: Layout): Sql => (needsTicks(layout) ? neverTick : sql`${layout.never}`);

export const timeOfTick = (layout: Layout, tick: Sql): Sql =>
  needsTicks(layout) ? sql`if(${tick} = ${neverTick}, ${layout.never}, bitShiftRight(${tick}, ${tickBits}))` : tick;
