import { type DayRange } from './catalogue.sql.js';

const dayMs = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Today and the 29 days before, in UTC: days of the projection are days in UTC. */
export const lastThirtyDays = (now: Date): DayRange => ({
  first: dayOf(now.getTime() - 29 * dayMs),
  last: dayOf(now.getTime()),
});
