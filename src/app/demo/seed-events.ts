import { calendar } from './calendar.js';
import { type Habits, habitsOf } from './habits.js';
import { profileOf } from './profile.js';
import { hex, mixed } from './random.js';
import { type SentEvent, Visitor } from './visitor.js';

interface Timed {
  readonly at: number;
  readonly index: number;
}

const isEarlier = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.index < b.index);

/** A heap that gives the earliest of many items. The time of an item may change only while the item is first. */
export class EarliestFirst<T extends Timed> {
  private readonly heap: T[] = [];

  get first(): T | undefined {
    return this.heap[0];
  }

  add(item: T): void {
    this.heap.push(item);
    let at = this.heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.swapIfEarlier(at, parent)) break;
      at = parent;
    }
  }

  removeFirst(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.firstChanged();
  }

  /** Must be called after the time of the first item has changed. */
  firstChanged(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const rightIsFirst = right < this.heap.length && isEarlier(this.item(right), this.item(left));
      const child = rightIsFirst ? right : left;
      if (child >= this.heap.length || !this.swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  private swapIfEarlier(lower: number, upper: number): boolean {
    const [low, high] = [this.item(lower), this.item(upper)];
    if (!isEarlier(low, high)) return false;
    this.heap[lower] = high;
    this.heap[upper] = low;
    return true;
  }

  private item(at: number): T {
    return this.heap[at] as T;
  }
}

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

/** Gives one event to each person, and shares out the rest by weight, rounded so that no event is left over. */
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
