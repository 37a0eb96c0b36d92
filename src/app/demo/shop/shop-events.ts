import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { calendar, type Rhythm } from '../calendar.js';
import { hex, mixed } from '../random.js';
import { type Seeded } from '../seed-events.js';
import { eventsOfShopper } from './shopper.js';

export interface ShopPlan {
  readonly events: number;
  readonly days: number;
  /** The time of the last events. */
  readonly now: Date;
}

const dayMs = 86_400_000;
/** Other work may run each time the events of this many persons are made, which takes a few milliseconds. */
const personsAtOnce = 10;

/** Private persons shop in the evening, most of them on Sunday and fewest on Saturday. */
const evenings: Rhythm = {
  hours: [8, 4, 2, 1, 1, 2, 5, 9, 12, 14, 15, 16, 18, 17, 15, 15, 17, 20, 25, 31, 35, 34, 26, 15],
  weekdays: [1.35, 1.1, 1, 1, 0.95, 0.85, 0.75],
};

/**
 * Generates the traffic of an online shop, in the order of time. The same number of events and days gives the same
 * events; another `now` only moves them, under the same uuids.
 */
export const shopEvents = async ({ events, days, now }: ShopPlan): Promise<Seeded[]> => {
  const seed = mixed(events, days);
  const end = now.getTime();
  const period = { days, end, calendar: calendar(end - days * dayMs, end, evenings) };
  const made: Seeded[] = [];
  for (let person = 0; made.length < events; person += 1) {
    if (person % personsAtOnce === 0) await yieldToEventLoop();
    for (const [number, event] of eventsOfShopper(seed, person, period).entries()) {
      if (made.length < events) made.push({ person, event: { uuid: uuidOf(seed, person, number), ...event } });
    }
  }
  return made.sort((a, b) =>
    a.event.timestamp < b.event.timestamp ? -1 : a.event.timestamp > b.event.timestamp ? 1 : 0,
  );
};

const uuidOf = (seed: number, person: number, number: number): string => {
  const [a, b, c] = [hex(mixed(seed, person)), hex(number), hex(mixed(seed, number, person))];
  return `${hex(person)}-${b.slice(4)}-8${a.slice(0, 3)}-8${a.slice(3, 6)}-${c}${a.slice(4)}`;
};
