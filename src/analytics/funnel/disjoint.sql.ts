import { join, sql, type Sql } from '../../platform/clickhouse/sql.js';
import { hasAny, isDisjoint, neverEvent, stepBit, timeOf, type Layout } from './layout.sql.js';
import { numeral } from '../../platform/clickhouse/numeral.sql.js';

/**
 * True for the usual funnel, which takes half the work: an event converts at most one step, and no exclusion spoils an
 * attempt.
 */
export const isSimple = ({ definition }: Layout): boolean =>
  definition.orderType === 'ordered' && definition.exclusions.length === 0 && isDisjoint(definition);

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
export const simpleAttempts = (layout: Layout, groupColumns: Sql, events: Sql): Sql => {
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
