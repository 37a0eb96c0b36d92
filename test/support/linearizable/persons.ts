import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { type NaivePerson, NaiveWorld } from '../identity-naive.js';
import { type SequentialModel } from './linearize.js';

export type PersonsInput =
  | { readonly kind: 'capture'; readonly events: readonly IdentityEvent[] }
  | { readonly kind: 'read'; readonly distinctId: string }
  | { readonly kind: 'edit'; readonly id: string; readonly properties: Readonly<Record<string, unknown>> }
  | { readonly kind: 'split'; readonly id: string; readonly distinctId: string }
  | { readonly kind: 'delete'; readonly distinctId: string };

/** A person as the interface shows it, as far as the order of operations decides it. */
export interface SeenPerson {
  readonly id: string;
  readonly ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly isIdentified: boolean;
}

export type PersonsResult = 'done' | 'missing' | 'refused' | SeenPerson;

type State = readonly NaivePerson[];

const canonical = ({ ids, properties, isIdentified }: Omit<SeenPerson, 'id'>): string =>
  JSON.stringify([[...ids].sort(), Object.entries(properties).sort(), isIdentified]);

/** A new person is learned by its integer id when it is first seen, and keeps it. */
const isAs = (person: NaivePerson, seen: SeenPerson, world: NaiveWorld): boolean => {
  if (canonical(person) !== canonical(seen)) return false;
  const known = world.persons.find(({ stored }) => stored === seen.id);
  if (known === undefined && person.stored === null) person.stored = seen.id;
  return person.stored === seen.id;
};

/** Applies the operation to a copy of the world. False if it could not have had the result. */
const happen = (world: NaiveWorld, input: PersonsInput, result: PersonsResult | undefined): boolean => {
  const shows = (person: NaivePerson | undefined): boolean => {
    if (result === undefined) return true;
    if (person === undefined || typeof result === 'string') return person === undefined && result === 'missing';
    return isAs(person, result, world);
  };
  const ofId = (id: string) => world.persons.find(({ stored }) => stored === id);
  switch (input.kind) {
    case 'capture':
      world.receive(input.events);
      return true;
    case 'read':
      return shows(world.find(input.distinctId));
    case 'edit': {
      const person = ofId(input.id);
      if (person) person.properties = { ...person.properties, ...input.properties };
      return shows(person);
    }
    case 'split': {
      const person = ofId(input.id);
      if (!person?.ids.includes(input.distinctId))
        return result === undefined || result === (person ? 'refused' : 'missing');
      if (person.ids.length > 1) {
        person.ids = person.ids.filter((id) => id !== input.distinctId);
        const { createdAt } = person;
        world.persons.push({ ids: [input.distinctId], properties: {}, isIdentified: false, createdAt, stored: null });
      }
      return shows(person);
    }
    case 'delete': {
      const person = world.find(input.distinctId);
      world.persons = world.persons.filter((other) => other !== person);
      return result === undefined || result === (person ? 'done' : 'missing');
    }
  }
};

const copyOf = (person: NaivePerson): NaivePerson => ({ ...person, ids: [...person.ids] });

/** Persons after operations one after the other. */
export const personsModel: SequentialModel<State, PersonsInput, PersonsResult> = {
  initial: [],
  apply: (state, input, result) => {
    const world = new NaiveWorld(state.map(copyOf));
    return happen(world, input, result) ? world.persons : null;
  },
  keyOf: (state) =>
    state
      .map((person) => `${person.stored} ${canonical(person)}`)
      .sort()
      .join('\n'),
};
