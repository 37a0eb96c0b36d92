import { type Decision, distinctIdsOf } from './decide.js';
import { type IdentityEvent } from './identity-event.js';
import { type StoredPeople } from './people.js';

/**
 * The ids whose persons change, and every id the decision about these depended on: ids of the same person, and ids that a
 * merge names together. What happens to them can be decided again without the rest of the group.
 */
export const affectedIds = (
  { owners }: StoredPeople,
  events: readonly IdentityEvent[],
  { made, attached, changed, absorbed }: Decision,
): Set<string> => {
  if (made.length + attached.length + changed.length + absorbed.length === 0) return new Set();
  const links = new Links();
  for (const [distinctId, person] of owners) links.join(idKey(distinctId), personKey(person));
  for (const { distinctId, merge } of events) if (merge) links.join(idKey(distinctId), idKey(merge.otherDistinctId));

  const changing = new Set<string>();
  for (const { distinctId } of [...made, ...attached]) changing.add(links.end(idKey(distinctId)));
  for (const { id } of [...changed, ...absorbed]) changing.add(links.end(personKey(id)));
  const ids = events.flatMap(distinctIdsOf);
  return new Set(ids.filter((id) => changing.has(links.end(idKey(id)))));
};

const idKey = (distinctId: string): string => `i${distinctId}`;
const personKey = (personId: string): string => `p${personId}`;

/** Everything joined, directly or not, has the same end. */
class Links {
  private readonly next = new Map<string, string>();

  end(key: string): string {
    let end = key;
    for (let next = this.next.get(end); next !== undefined; next = this.next.get(end)) end = next;
    if (end !== key) this.next.set(key, end);
    return end;
  }

  join(a: string, b: string): void {
    const [from, to] = [this.end(a), this.end(b)];
    if (from !== to) this.next.set(from, to);
  }
}
