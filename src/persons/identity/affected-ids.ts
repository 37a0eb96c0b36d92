import { type Decision, distinctIdsOfEvent } from './decide.js';
import { type IdentityEvent } from './identity-event.js';
import { type StoredPeople } from './people.js';

/**
 * Returns the ids whose persons change, and every id that the decision about them depended on: ids of the same person, and
 * ids that a merge names together. These ids can be decided again without the rest of the group.
 */
export const affectedIds = (
  { owners }: StoredPeople,
  events: readonly IdentityEvent[],
  { made, attached, changed, merged }: Decision,
): Set<string> => {
  if (made.length + attached.length + changed.length + merged.length === 0) return new Set();
  const links = new Links();
  for (const [distinctId, person] of owners) links.join(links.ofId(distinctId), links.ofPerson(person));
  for (const { distinctId, merge } of events) {
    if (merge) links.join(links.ofId(distinctId), links.ofId(merge.otherDistinctId));
  }

  const changing = new Set<number>();
  for (const { distinctId } of made) changing.add(links.end(links.ofId(distinctId)));
  for (const { distinctId } of attached) changing.add(links.end(links.ofId(distinctId)));
  for (const { id } of changed) changing.add(links.end(links.ofPerson(id)));
  for (const { id } of merged) changing.add(links.end(links.ofPerson(id)));

  const affected = new Set<string>();
  for (const event of events) {
    for (const id of distinctIdsOfEvent(event)) if (changing.has(links.end(links.ofId(id)))) affected.add(id);
  }
  return affected;
};

/** Groups ids: ids that are linked, directly or not, have the same root. */
class Links {
  private readonly next: number[] = [];
  private readonly ids = new Map<string, number>();
  private readonly persons = new Map<string, number>();

  ofId(distinctId: string): number {
    return this.numberOf(this.ids, distinctId);
  }

  ofPerson(personId: string): number {
    return this.numberOf(this.persons, personId);
  }

  end(start: number): number {
    let end = start;
    for (let next = this.next[end]; next !== undefined && next !== end; next = this.next[end]) end = next;
    this.next[start] = end;
    return end;
  }

  join(a: number, b: number): void {
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
