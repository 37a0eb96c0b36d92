import { type Decision, distinctIdsOfEvent } from './decide.js';
import { type IdentityEvent } from './identity-event.js';
import { LinkedIds } from './linked-ids.js';
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
