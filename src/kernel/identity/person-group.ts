import { type IdentityEvent, type Properties } from './identity-event.js';
import { PersonProperties } from './person-properties.js';

export interface PersonState {
  readonly properties: Properties;
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

export interface StoredPerson extends PersonState {
  readonly id: string;
}

/** The stored persons of the requested distinct ids. Ids without a person are absent. */
export interface StoredPersons {
  readonly persons: ReadonlyMap<string, StoredPerson>;
  /** Maps distinct ids to person ids. */
  readonly owners: ReadonlyMap<string, string>;
}

/** Either a stored person, or one that is to be made for the first of its distinct ids. */
export type WorkingPersonRef = { readonly stored: string } | { readonly madeFor: string };

type PersonChange = Pick<IdentityEvent, 'identifies' | 'datesPerson' | 'timestamp' | 'person'>;

/** A person while events are applied to it. */
export class WorkingPerson {
  readonly properties: PersonProperties;
  isIdentified: boolean;
  createdAt: Date;
  /** The distinct ids that the person got from these events, in their order. */
  readonly newIds: string[] = [];
  private partOf: WorkingPerson | null = null;

  constructor(
    readonly ref: WorkingPersonRef,
    private readonly before: PersonState,
  ) {
    this.properties = new PersonProperties(before.properties);
    this.isIdentified = before.isIdentified;
    this.createdAt = before.createdAt;
  }

  get isMerged(): boolean {
    return this.partOf !== null;
  }

  get isChanged(): boolean {
    return (
      this.properties.isChanged ||
      this.isIdentified !== this.before.isIdentified ||
      this.createdAt.getTime() !== this.before.createdAt.getTime()
    );
  }

  /** The person that this one was merged into, in however many steps. */
  get final(): WorkingPerson {
    if (this.partOf === null) return this;
    // A loop replaces recursion, because a group may chain thousands of merges.
    let last = this.partOf;
    while (last.partOf !== null) last = last.partOf;
    this.partOf = last;
    return last;
  }

  existsSince(time: Date): void {
    if (time.getTime() < this.createdAt.getTime()) this.createdAt = time;
  }

  /** Returns false when the event would make the properties too large; the properties then stay unchanged. */
  apply({ identifies, datesPerson, timestamp, person }: PersonChange): boolean {
    if (identifies) this.isIdentified = true;
    if (datesPerson) this.existsSince(timestamp);
    return this.properties.apply(person);
  }

  /**
   * Returns false when the properties of both persons together would be too large; the other's properties are then left out.
   */
  mergeFrom(other: WorkingPerson): boolean {
    other.partOf = this;
    this.existsSince(other.createdAt);
    return this.properties.complete(other.properties);
  }
}

/** All persons that a group of events involves. */
export class PersonGroup {
  private readonly owners = new Map<string, WorkingPerson>();
  private readonly stored = new Map<string, WorkingPerson>();

  constructor(stored: StoredPersons) {
    for (const [id, person] of stored.persons) this.add(id, person);
    for (const [distinctId, id] of stored.owners) {
      const owner = this.stored.get(id);
      if (owner) this.owners.set(distinctId, owner);
    }
  }

  add(id: string, state: PersonState): WorkingPerson {
    const person = new WorkingPerson({ stored: id }, state);
    this.stored.set(id, person);
    return person;
  }

  /** Returns the stored person, or the one that it was merged into. */
  person(id: string): WorkingPerson | null {
    return this.stored.get(id)?.final ?? null;
  }

  ownerOf(distinctId: string): WorkingPerson | null {
    return this.owners.get(distinctId)?.final ?? null;
  }

  make(distinctId: string, createdAt: Date): WorkingPerson {
    const person = new WorkingPerson({ madeFor: distinctId }, { properties: {}, isIdentified: false, createdAt });
    this.give(distinctId, person);
    return person;
  }

  give(distinctId: string, person: WorkingPerson): void {
    if (!this.owners.has(distinctId)) person.newIds.push(distinctId);
    this.owners.set(distinctId, person);
  }

  storedPersons(): Iterable<WorkingPerson> {
    return this.stored.values();
  }
}
