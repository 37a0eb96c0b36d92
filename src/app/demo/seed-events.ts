import { calendar } from './calendar.js';
import { habitsOf, type Habits } from './habits.js';
import { profileOf } from './profile.js';
import { hex, mixed } from './random.js';
import { EarliestFirst } from './timeline.js';
import { Visitor, type SentEvent } from './visitor.js';

export interface SeedPlan {
  readonly events: number;
  /** At most as many as events: every person has at least one. */
  readonly persons: number;
  readonly days: number;
  /** The time of the last events. */
  readonly now: Date;
}

export interface SeedEvent extends SentEvent {
  readonly uuid: string;
}

export interface Seeded {
  /** The number of the person, whatever distinct ids it uses. */
  readonly person: number;
  readonly event: SeedEvent;
}

const day = 86_400_000;

/**
 * Generates the traffic of a product that grows, in the order of time, one event after another; only persons who may
 * still return stay in memory. The same plan gives the same events; another `now` only moves them, under the same uuids.
 */
export function* seedEvents({ events, persons, days, now }: SeedPlan): Generator<Seeded, void, undefined> {
  const seed = mixed(events, persons, days);
  const end = now.getTime();
  const period = { end, calendar: calendar(end - days * day, end) };
  const arriving = arrivals(seed, events, persons);
  const visitorOf = ({ index, habits, share }: Arrival): Visitor =>
    new Visitor(index, habits, profileOf(seed, index, habits.random), period, share);
  const present = new EarliestFirst<Visitor>();

  let next = arriving.next();
  let coming = next.done ? null : visitorOf(next.value);
  for (let number = 0; number < events; number += 1) {
    while (coming && (!present.first || coming.at <= present.first.at)) {
      present.add(coming);
      next = arriving.next();
      coming = next.done ? null : visitorOf(next.value);
    }
    const visitor = present.first;
    if (!visitor) return;
    yield { person: visitor.index, event: { uuid: uuidOf(seed, number), ...visitor.next() } };
    if (visitor.isDone) present.removeFirst();
    else present.firstChanged();
  }
}

interface Arrival {
  readonly index: number;
  readonly habits: Habits;
  /** The person's share of all events. */
  readonly share: number;
}

/** One event for each person, and the rest by weight, rounded so that no event is left over. */
function* arrivals(seed: number, events: number, persons: number): Generator<Arrival, void, undefined> {
  let total = 0;
  for (let index = 0; index < persons; index += 1) total += habitsOf(seed, index, persons).weight;
  let assigned = 0;
  let weight = 0;
  for (let index = 0; index < persons; index += 1) {
    const habits = habitsOf(seed, index, persons);
    weight += habits.weight;
    const assignedNow = Math.floor((events - persons) * (weight / total));
    yield { index, habits, share: 1 + assignedNow - assigned };
    assigned = assignedNow;
  }
}

/** Uuids in the order of the events keep the indexes by uuid small. */
const uuidOf = (seed: number, number: number): string => {
  const [count, low, a, b] = [hex(number / 2 ** 16), hex(number), hex(seed), hex(mixed(seed, number))];
  return `${count}-${low.slice(4)}-8${a.slice(0, 3)}-8${a.slice(3, 6)}-${a.slice(4)}${b}`;
};
