import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { affectedIds } from './load.js';
import { decide, type Decision } from './decide.js';
import { identityEvents } from '../../../test/support/identity-arbitraries.js';
import { type NaivePerson, NaiveWorld } from '../../../test/support/identity-naive.js';
import { type WorkingPersonRef, type StoredPersons } from './person-group.js';

const runs = { numRuns: 600 };

/** The persons that some events make. */
const persons = identityEvents.map((events) => {
  const world = new NaiveWorld();
  world.receive(events);
  return world.persons.map((person, at) => ({ ...person, stored: `${at + 1}` }));
});

const asStored = (persons: readonly NaivePerson[]): StoredPersons => ({
  persons: new Map(
    persons.map(({ stored, properties, isIdentified, createdAt }) => [
      stored ?? '',
      { id: stored ?? '', properties, isIdentified, createdAt: new Date(createdAt) },
    ]),
  ),
  owners: new Map(persons.flatMap(({ stored, ids }) => ids.map((id) => [id, stored ?? '']))),
});

/** Applies a decision to a plain list, as the statements do to the tables. */
const carriedOut = (before: readonly NaivePerson[], decision: Decision): NaivePerson[] => {
  const { made, changed, attached, merged } = decision;
  const refOf = (person: NaivePerson): WorkingPersonRef => ({ stored: person.stored ?? '' });
  const rows = before.map((person) => ({ ref: refOf(person), person: structuredClone(person) }));
  for (const { distinctId, properties, isIdentified, createdAt } of made) {
    const person = { ids: [distinctId], properties, isIdentified, createdAt: createdAt.getTime(), stored: null };
    rows.push({ ref: { madeFor: distinctId }, person });
  }
  const row = (ref: WorkingPersonRef): NaivePerson => {
    const match = rows.find((each) => JSON.stringify(each.ref) === JSON.stringify(ref));
    if (!match) throw new Error(`No person ${JSON.stringify(ref)}`);
    return match.person;
  };
  for (const { id, changed: set, removed, isIdentified, createdAt } of changed) {
    const person = row({ stored: id });
    for (const key of removed) delete person.properties[key];
    Object.assign(person, { isIdentified, createdAt: createdAt.getTime() });
    person.properties = { ...person.properties, ...set };
  }
  for (const { distinctId, to } of attached) row(to).ids.push(distinctId);
  for (const { id, into } of merged) row(into).ids.push(...row({ stored: id }).ids.splice(0));
  return rows.map(({ person }) => person).filter(({ ids }) => ids.length > 0);
};

const sorted = (persons: readonly NaivePerson[]) =>
  persons
    .map((person) => ({ ...person, ids: [...person.ids].sort() }))
    .sort((a, b) => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1));

describe('what a group of events makes of the stored persons', () => {
  it('is what the rules say for one event after the other', () => {
    fc.assert(
      fc.property(persons, identityEvents, (before, events) => {
        const naive = new NaiveWorld(structuredClone(before));
        naive.receive(events);
        const decision = decide(asStored(before), events);
        expect(sorted(carriedOut(before, decision))).toEqual(sorted(naive.persons));
        expect(decision.warnings.map(({ eventUuid, type }) => `${eventUuid} ${type}`)).toEqual(naive.warnings);
      }),
      runs,
    );
  });

  it('names exactly the persons that differ afterwards', () => {
    fc.assert(
      fc.property(persons, identityEvents, (before, events) => {
        const naive = new NaiveWorld(structuredClone(before));
        naive.receive(events);
        const differing = before.filter((person) => {
          const after = naive.persons.find(({ stored }) => stored === person.stored);
          if (!after) return false;
          return JSON.stringify(comparable(person)) !== JSON.stringify(comparable(after));
        });
        const { changed, merged } = decide(asStored(before), events);
        expect(changed.map(({ id }) => id).sort()).toEqual(differing.map(({ stored }) => stored).sort());
        const gone = before.filter(({ stored }) => !naive.persons.some((person) => person.stored === stored));
        expect(merged.map(({ id }) => id).sort()).toEqual(gone.map(({ stored }) => stored).sort());
      }),
      runs,
    );
  });

  it('can be decided from the affected ids alone', () => {
    fc.assert(
      fc.property(persons, identityEvents, (before, events) => {
        const all = asStored(before);
        const concerned = events.filter(({ person }) => person.process);
        const decision = decide(all, concerned);
        const affected = affectedIds(all, concerned, decision);
        const owners = new Map([...all.owners].filter(([id]) => affected.has(id)));
        const persons = new Map([...all.persons].filter(([id]) => [...owners.values()].includes(id)));
        const again = decide(
          { persons, owners },
          concerned.filter(({ distinctId }) => affected.has(distinctId)),
        );
        expect({ ...again, warnings: [] }).toEqual({ ...decision, warnings: [] });
        expect(again.warnings).toEqual(decision.warnings.filter(({ distinctId }) => affected.has(distinctId)));
      }),
      runs,
    );
  });
});

/** Ignores the order of keys. */
const comparable = ({ properties, isIdentified, createdAt }: NaivePerson) => [
  Object.keys(properties)
    .sort()
    .map((key) => [key, canonical(properties[key])]),
  isIdentified,
  createdAt,
];

const canonical = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
