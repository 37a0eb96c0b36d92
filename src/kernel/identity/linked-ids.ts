import { type Decision, distinctIdsOfEvent } from './decide.js';
import { type IdentityEvent } from './identity-event.js';
import { type StoredPersons } from './person-group.js';

/** Groups distinct ids: those that are linked, directly or not, are in one group. */
export class LinkedIds {
  private readonly next: number[] = [];
  private readonly ids = new Map<string, number>();
  private readonly persons = new Map<string, number>();

  /** The ids of one person are linked. */
  constructor(owners: ReadonlyMap<string, string>) {
    for (const [distinctId, person] of owners)
      this.join(this.numberOf(this.ids, distinctId), this.numberOf(this.persons, person));
  }

  joinIds([first, ...others]: readonly string[]): void {
    for (const other of others) this.join(this.numberOf(this.ids, first ?? other), this.numberOf(this.ids, other));
  }

  groupOf(distinctId: string): number {
    return this.end(this.numberOf(this.ids, distinctId));
  }

  groupOfPerson(personId: string): number {
    return this.end(this.numberOf(this.persons, personId));
  }

  private end(start: number): number {
    let end = start;
    for (let next = this.next[end]; next !== undefined && next !== end; next = this.next[end]) end = next;
    this.next[start] = end;
    return end;
  }

  private join(a: number, b: number): void {
    this.next[this.end(a)] = this.end(b);
  }

  private numberOf(known: Map<string, number>, key: string): number {
    const number = known.get(key) ?? this.next.length;
    if (number === this.next.length) {
      known.set(key, number);
      this.next.push(number);
    }
    return number;
  }
}

/**
 * Returns the ids whose persons change, and every id that the decision about them depended on: ids of the same person, and
 * ids that a merge names together. These ids can be decided again without the rest of the group.
 */
export const affectedIds = (
  { owners }: StoredPersons,
  events: readonly IdentityEvent[],
  { made, attached, changed, merged }: Decision,
): Set<string> => {
  if (made.length + attached.length + changed.length + merged.length === 0) return new Set();
  const links = new LinkedIds(owners);
  for (const event of events) if (event.merge) links.joinIds(distinctIdsOfEvent(event));

  const changing = new Set<number>();
  for (const { distinctId } of made) changing.add(links.groupOf(distinctId));
  for (const { distinctId } of attached) changing.add(links.groupOf(distinctId));
  for (const { id } of changed) changing.add(links.groupOfPerson(id));
  for (const { id } of merged) changing.add(links.groupOfPerson(id));

  const affected = new Set<string>();
  for (const event of events) {
    for (const id of distinctIdsOfEvent(event)) if (changing.has(links.groupOf(id))) affected.add(id);
  }
  return affected;
};
