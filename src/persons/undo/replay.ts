import { put } from '../../common/put.js';
import { type IdentityEvent, type Properties } from '../identity/identity-event.js';
import { jsonEqual } from '../identity/json-equal.js';
import { type MergeReason } from '../identity/record-merges.js';
import { ReplayedPerson, type PersonState } from './replayed-person.js';

/** An event of the log, with what it says about its person. */
export interface LoggedChange extends Pick<
  IdentityEvent,
  'uuid' | 'distinctId' | 'timestamp' | 'person' | 'identifies'
> {
  readonly receivedAt: Date;
  readonly otherDistinctId: string | null;
}

/** The state of a person from which the log is replayed. */
export interface PersonBase extends PersonState {
  readonly since: Date;
}

export interface ReplayedMerge {
  readonly id: string;
  readonly survivor: string;
  readonly merged: string;
  readonly reason: MergeReason;
  readonly eventUuid: string | null;
  readonly mergedAt: Date;
  /** Distinct ids that were split off before and came with the merged person. */
  readonly returning: readonly string[];
}

/** A distinct id that left its person and did not come back by an undo. */
export interface ReplayedSplit {
  readonly distinctId: string;
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

export interface ReplayedId {
  /** The person that had the id, as far as the records say. */
  readonly home: string;
  /** Whether the id was added after the records. The event that added it then says whose it is. */
  readonly isNew: boolean;
}

export interface History {
  readonly bases: ReadonlyMap<string, PersonBase>;
  readonly ids: ReadonlyMap<string, ReplayedId>;
  /** In the order in which they happened. */
  readonly merges: readonly ReplayedMerge[];
  /** In the order in which they happened. */
  readonly splits: readonly ReplayedSplit[];
}

/**
 * Lives through the recorded history of some persons again, as if one of their merges had not happened. Everything else stays
 * as it happened: no merge is decided anew. Gets the events of all their distinct ids, in the order received.
 */
export class Replay {
  private readonly persons = new Map<string, ReplayedPerson>();
  private readonly owners = new Map<string, ReplayedPerson>();
  private readonly merges = new Map<string, ReplayedMerge>();
  private readonly byEvent = new Map<string, ReplayedMerge>();
  private readonly parents = new Map<string, string>();
  /** The number of splits that have taken place. */
  private split = 0;
  /** Whether an id was split off from another person than it was: without the merge it belonged to that other one. */
  hasStrayed = false;

  constructor(
    private readonly history: History,
    /** The merge that is left out; null leaves none out. */
    private readonly without: string | null,
  ) {
    for (const [id, base] of history.bases) this.persons.set(id, new ReplayedPerson(id, base, base.since));
    for (const [distinctId, { home, isNew }] of history.ids) if (!isNew) this.settle(distinctId, home);
    for (const merge of history.merges) {
      this.merges.set(merge.id, merge);
      if (merge.eventUuid !== null) this.byEvent.set(merge.eventUuid, merge);
    }
  }

  take(event: LoggedChange): void {
    const { distinctId, otherDistinctId, receivedAt } = event;
    this.mergeUpTo(receivedAt);
    if (!this.history.ids.has(distinctId)) return;
    const merge = this.byEvent.get(event.uuid);
    const home = merge ? this.homeOf(distinctId) : this.attached(distinctId, otherDistinctId);
    if (merge) {
      if (otherDistinctId !== null && this.history.ids.has(otherDistinctId)) this.homeOf(otherDistinctId);
      if (this.merges.has(merge.id)) this.merge(merge, home);
    }
    // What was received earlier is part of the state from which this person is replayed.
    if (receivedAt < home.since) return;
    const { final } = home;
    if (!event.person.process) return;
    if (event.identifies) final.isIdentified = true;
    if (receivedAt.getTime() === home.since.getTime()) home.madeBy(event.timestamp);
    final.properties.apply(event.person);
  }

  finish(): this {
    this.mergeUpTo(null);
    for (const [distinctId, { home }] of this.history.ids) this.settle(distinctId, home);
    return this;
  }

  /** The person that the person is part of. */
  personOf(id: string): ReplayedPerson {
    return this.person(id).final;
  }

  ownerOf(distinctId: string): ReplayedPerson {
    return this.homeOf(distinctId).final;
  }

  /** The person into which a merge went, which may be part of another one now. Null for the merge that is left out. */
  survivorOf(mergeId: string): string | null {
    return this.parents.get(mergeId) ?? null;
  }

  private person(id: string): ReplayedPerson {
    const person = this.persons.get(id);
    if (!person) throw new Error(`There is no state of person ${id} to replay from`);
    return person;
  }

  private settle(distinctId: string, home: string): ReplayedPerson {
    const settled = this.owners.get(distinctId) ?? this.person(home);
    this.owners.set(distinctId, settled);
    return settled;
  }

  private homeOf(distinctId: string): ReplayedPerson {
    const owner = this.owners.get(distinctId);
    if (owner) return owner;
    const home = this.history.ids.get(distinctId)?.home;
    if (home === undefined) throw new Error('The distinct id belongs to none of the replayed persons');
    return this.settle(distinctId, home);
  }

  /** A new id belongs to the person of the id with which an event named it. */
  private attached(distinctId: string, other: string | null): ReplayedPerson {
    if (other === null || !this.history.ids.has(other)) return this.homeOf(distinctId);
    const [own, others] = [this.owners.get(distinctId), this.owners.get(other)];
    if (own && others) return own;
    const person = own ?? others ?? this.homeOf(distinctId);
    this.owners.set(distinctId, person);
    this.owners.set(other, person);
    person.final.isIdentified = true;
    return person;
  }

  /** Merges by request take place at their moment, and so do those whose events are no longer in the log. */
  private mergeUpTo(moment: Date | null): void {
    for (const merge of this.merges.values()) {
      if (moment !== null && merge.mergedAt > moment) break;
      if (moment !== null && merge.eventUuid !== null && merge.mergedAt >= moment) continue;
      this.splitUpTo(merge.mergedAt);
      this.merge(merge, null);
    }
    this.splitUpTo(moment);
  }

  private splitUpTo(moment: Date | null): void {
    const { splits, ids, bases } = this.history;
    for (let next = splits[this.split]; next && (moment === null || next.at <= moment); next = splits[this.split]) {
      this.split += 1;
      const { distinctId, from, to, at } = next;
      if (!ids.has(distinctId)) continue;
      if (bases.has(from) && this.ownerOf(distinctId) !== this.personOf(from)) this.hasStrayed = true;
      const separate = this.persons.get(to) ?? new ReplayedPerson(to, { ...nothing, createdAt: at }, at);
      this.persons.set(to, separate);
      this.owners.set(distinctId, separate);
    }
  }

  /** An id whose person was none of these came back with another person, of which that one had become part. */
  private comeBack(distinctId: string, merged: string): void {
    if (!this.history.ids.has(distinctId) || this.history.bases.has(this.homeOf(distinctId).id)) return;
    this.owners.set(distinctId, this.person(merged));
  }

  private merge(merge: ReplayedMerge, owner: ReplayedPerson | null): void {
    this.merges.delete(merge.id);
    for (const distinctId of merge.returning) this.comeBack(distinctId, merge.merged);
    if (merge.id === this.without) return;
    const other = this.person(merge.merged).final;
    const named = owner?.final ?? null;
    const own = named !== null && named !== other ? named : this.person(merge.survivor).final;
    if (own === other) return;
    this.parents.set(merge.id, own.id);
    own.mergeFrom(other);
    if (merge.reason !== 'import') own.isIdentified = true;
  }
}

/** A person that a split makes. */
const nothing = { properties: {}, isIdentified: false };

/** Changes that the log does not explain, such as those of an import, stay with the person that has them. */
export const withUnexplained = (result: Properties, explained: Properties, actual: Properties): Properties => {
  const kept = new Map(Object.entries(result));
  for (const key of new Set([...Object.keys(explained), ...Object.keys(actual)])) {
    const [was, is] = [valueOf(explained, key), valueOf(actual, key)];
    if (jsonEqual(was, is)) continue;
    if (is === undefined) kept.delete(key);
    else kept.set(key, is);
  }
  const properties: Record<string, unknown> = {};
  for (const [key, value] of kept) put(properties, key, value);
  return properties;
};

const valueOf = (object: Properties, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
