import { type Sql, empty, join, numeral, sql } from '../../platform/clickhouse/sql.js';
import { type Entity } from '../shared/entity.js';
import { carriedBy } from './chains.sql.js';
import { type Layout, hasAny, isDisjoint, mayShareEvents, neverEvent, stepBit, timeOf } from './layout.sql.js';
import { type Split, actorEvents } from './events.sql.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { orderedChains } from './ordered.sql.js';
import { strictChains } from './strict.sql.js';
import { unorderedChains } from './unordered.sql.js';

/**
 * True for the usual funnel, which takes half the work: an event converts at most one step, and no exclusion spoils an
 * attempt.
 */
const isSimple = ({ definition }: Layout): boolean =>
  definition.orderType === 'ordered' &&
  definition.exclusions.length === 0 &&
  definition.optional.length === 0 &&
  isDisjoint(definition);

/**
 * For each position, the event that converts a step if the steps between the first and this one are converted as early as
 * possible.
 */
const conversions = (layout: Layout, step: number): Sql => {
  let filled = sql`events`;
  for (let at = step; at > 0; at -= 1) {
    filled = sql`arrayReverseFill((found, event) -> ${hasAny(sql`event`, stepBit(layout, at))}, ${filled}, events)`;
  }
  return filled;
};

/** The attempts of a simple funnel: tuples of the number of steps reached and the time of each step. */
const simpleAttempts = (layout: Layout, groupColumns: Sql, events: Sql): Sql => {
  const begins = sql`${hasAny(sql`event`, stepBit(layout, 0))} AND event < ${neverEvent(layout)}`;
  const steps = layout.definition.steps.map((_, step) => step);
  const chosen = steps.map(
    (step) => sql`arrayFilter((found, event) -> ${begins}, ${conversions(layout, step)}, events)`,
  );
  const names = steps.map((step) => sql`e${numeral(step)}`);
  const times = names.map((name) => timeOf(layout, name));
  const reached = times.slice(1).map((time) => sql` + (${time} <= ${times[0] ?? sql``} + ${layout.window})`);
  return sql`
    SELECT ${groupColumns}, arrayMap((${join(names)}) -> (toUInt8(1${join(reached, sql``)}), ${join(times)}), ${join(chosen)}) AS attempts
    FROM (${events})`;
};

/**
 * The attempts of each actor: tuples of the number of steps reached, the time of each step and, with optional steps, the bits
 * of those taken. An attempt begins with every event that can be the first step; every later step takes the earliest event that
 * converts it. Actors without an attempt have an empty array. The columns are explained in `layout.sql.ts`.
 */
export const actorAttempts = (layout: Layout, split: Split | null, scope: QuestionScope): Sql => {
  const events = actorEvents(layout, split, scope);
  const { orderType, steps } = layout.definition;
  const groupColumns = split === null ? sql`actor` : sql`actor, value`;
  if (isSimple(layout)) return simpleAttempts(layout, groupColumns, events);
  const prepared = withCarried(layout, events);
  const chains = { ordered: orderedChains, strict: strictChains, unordered: unorderedChains }[orderType](
    layout,
    prepared,
  );
  const times = join(steps.map((_, at) => sql`c.${numeral(at + 1)}`));
  const reach = sql`toUInt8(1${join(
    steps.slice(1).map((_, at) => sql` + (c.${numeral(at + 2)} <= c.1 + ${layout.window})`),
    sql``,
  )})`;
  const started = sql`arrayFilter((c, event) -> c.1 < ${layout.never} AND bitAnd(event, start) > 0, chains, events)`;
  const spoilt = spoiltBy(layout, chains.carriedAt);
  if (orderType === 'unordered') {
    // The first event completes a step by itself, even if an excluded event follows.
    const reached = spoilt === null ? reach : sql`if(${spoilt}, toUInt8(1), ${reach})`;
    return sql`SELECT ${groupColumns}, arrayMap(c -> (${reached}, ${times}), ${started}) AS attempts FROM (${chains.rows})`;
  }
  const clean = spoilt === null ? started : sql`arrayFilter(c -> NOT (${spoilt}), ${started})`;
  return sql`SELECT ${groupColumns}, arrayMap(c -> (${reach}, ${times}${taken(layout, chains.carriedAt)}), ${clean}) AS attempts FROM (${chains.rows})`;
};

/** The bits of the optional steps that an attempt takes, as an element of its tuple. */
const taken = ({ definition, window }: Layout, carriedAt: readonly number[]): Sql => {
  const { steps, optional, exclusions } = definition;
  if (optional.length === 0) return empty;
  const timeAt = (at: number) => sql`c.${numeral(carriedAt[exclusions.length + at] ?? 0)}`;
  const bits = optional.map(({ entity, after }, at) => {
    const comesBefore = (other: Entity, time: Sql) =>
      mayShareEvents(entity, other) ? sql`${timeAt(at)} < ${time}` : sql`${timeAt(at)} <= ${time}`;
    const later = optional.flatMap((other, place) =>
      place > at && other.after === after ? [comesBefore(other.entity, timeAt(place))] : [],
    );
    const next = steps[after + 1];
    const beforeNext = next === undefined ? [] : [comesBefore(next, sql`c.${numeral(after + 2)}`)];
    const conditions = [sql`${timeAt(at)} <= c.1 + ${window}`, ...later, ...beforeNext];
    return sql`if(${join(conditions, sql` AND `)}, ${numeral(2 ** at)}, 0)`;
  });
  return sql`, toUInt32(${join(bits, sql` + `)})`;
};

/** Adds a column `x…` for each time that chains carry: for each position, that of the next such event. */
const withCarried = (layout: Layout, events: Sql): Sql => {
  const carried = carriedBy(layout);
  if (carried.length === 0) return events;
  const times = sql`arrayMap(event -> ${timeOf(layout, sql`event`)}, events)`;
  const columns = carried.map(({ bit, hasOwnMoment }, at) => {
    const next = sql`arrayReverseFill((time, event) -> ${hasAny(sql`event`, bit)}, times, events)`;
    const found = hasOwnMoment ? next : sql`arrayPushBack(arrayPopFront(${next}), ${layout.never})`;
    return sql`${found} AS x${numeral(at)}`;
  });
  return sql`SELECT * EXCEPT (times), ${join(columns)} FROM (SELECT *, ${times} AS times FROM (${events}))`;
};

/** True if an excluded event comes between the two steps or, without the second step, before the window closes. */
const spoiltBy = ({ definition, window }: Layout, carriedAt: readonly number[]): Sql | null => {
  if (definition.exclusions.length === 0) return null;
  const isReached = (step: number) => sql`c.${numeral(step + 1)} <= c.1 + ${window}`;
  const ways = definition.exclusions.map(({ from, to }, at) => {
    const next = sql`c.${numeral(carriedAt[at] ?? 0)}`;
    const end = sql`if(${isReached(to)}, c.${numeral(to + 1)}, c.1 + ${window} + 1)`;
    return sql`(${isReached(from)} AND ${next} < ${end})`;
  });
  return join(ways, sql` OR `);
};
