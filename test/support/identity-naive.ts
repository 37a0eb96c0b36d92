import { type IdentityEvent } from '../../src/kernel/identity/identity-event.js';
import { maxPersonPropertiesBytes } from '../../src/kernel/identity/person-properties.js';

export interface NaivePerson {
  ids: string[];
  properties: Record<string, unknown>;
  isIdentified: boolean;
  createdAt: number;
  /** Null for a person the present group has made. */
  stored: string | null;
}

/** The rules read off one after the other on a plain list of persons, with everything copied and compared as a whole. */
export class NaiveWorld {
  warnings: string[] = [];

  constructor(public persons: NaivePerson[] = []) {}

  receive(events: readonly IdentityEvent[]): void {
    for (const event of events) if (event.person.process) this.receiveOne(event);
  }

  find(id: string): NaivePerson | undefined {
    return this.persons.find(({ ids }) => ids.includes(id));
  }

  private receiveOne(event: IdentityEvent): void {
    const mine = event.distinctId;
    const theirs = event.merge?.otherDistinctId;
    let identified = event.identifies;
    if (theirs !== undefined) {
      const [a, b] = [this.find(mine), this.find(theirs)];
      if (a && b && a !== b && b.isIdentified && event.merge?.kind !== 'merge_dangerously') {
        this.warnings.push(`${event.uuid} cannot_merge_already_identified`);
      } else if (a && b && a !== b) {
        this.merge(event, a, b);
        identified = true;
      } else if (!a || !b) {
        const one = a ?? b ?? this.create(mine, event);
        for (const id of [mine, theirs]) if (!one.ids.includes(id)) one.ids.push(id);
        identified = true;
      }
    }
    const person = this.find(mine) ?? this.create(mine, event);
    if (identified) person.isIdentified = true;
    const next = { ...event.person.setOnce, ...person.properties, ...event.person.set };
    for (const key of event.person.unset) delete next[key];
    const { momentary = {} } = event.person;
    const isMissing = Object.keys(momentary).some((key) => !Object.hasOwn(person.properties, key));
    const isWritten = isMissing || canonical(next) !== canonical(person.properties);
    this.replace(event, person, isWritten ? { ...next, ...momentary } : next);
  }

  merge(event: IdentityEvent, winner: NaivePerson, loser: NaivePerson): void {
    this.persons = this.persons.filter((person) => person !== loser);
    winner.ids.push(...loser.ids);
    winner.createdAt = Math.min(winner.createdAt, loser.createdAt);
    this.replace(event, winner, { ...loser.properties, ...winner.properties });
  }

  private replace(event: IdentityEvent, person: NaivePerson, next: Record<string, unknown>): void {
    const size = Buffer.byteLength(JSON.stringify(next));
    if (size > maxPersonPropertiesBytes && size > Buffer.byteLength(JSON.stringify(person.properties))) {
      this.warnings.push(`${event.uuid} person_properties_too_large`);
    } else {
      person.properties = next;
    }
  }

  private create(id: string, event: IdentityEvent): NaivePerson {
    const person = {
      ids: [id],
      properties: {},
      isIdentified: false,
      createdAt: event.timestamp.getTime(),
      stored: null,
    };
    this.persons.push(person);
    return person;
  }
}

/** With the keys in order, because for jsonb there is none. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
      : inner,
  );
