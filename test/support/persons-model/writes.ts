import { expect } from '@jest/globals';
import { odds, type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { type NaivePerson } from '../identity-naive.js';
import { type Answer } from '../service-handle.js';
import {
  anyMoment,
  type Captured,
  distinctIds,
  mergingEvent,
  objectOf,
  profilelessEvent,
  plainEvent,
  keys,
  someKeys,
  valueFor,
} from './captured.js';
import { listPersons, type Side, type Stage, type Step } from './stage.js';

const ofPerson = (work: (stage: Stage, person: NaivePerson) => Promise<void>): Step => {
  return async (stage) => {
    const { persons } = stage.side.model;
    if (persons.length > 0) await work(stage, stage.random.pick(persons));
  };
};

/** By either of its names. */
export const refOf = ({ side, random }: Stage, person: NaivePerson): string =>
  random.chance(0.5) ? (person.stored ?? '') : side.model.shape(person).uuid;

/** Without the warnings, such as one about a merge that identity refuses. */
const verdictOf = ({ body }: Answer): object => {
  const { status, accepted, duplicates, rejected } = body as Record<string, unknown>;
  return { status, accepted, duplicates, rejected };
};

const send = async ({ service, side }: Stage, events: readonly Captured[]): Promise<void> => {
  const batch = events.map(({ raw }) => raw);
  const answer = await service.call('POST', '/batch', { key: null, body: { api_key: side.token, batch } });
  expect([answer.status, verdictOf(answer)]).toEqual([
    200,
    { status: 1, accepted: batch.length, duplicates: 0, rejected: [] },
  ]);
  side.sent = batch;
  side.model.receive(events.map(({ meaning }) => meaning));
  if (side.model.persons.some(({ stored }) => stored === null)) await learn(side);
};

const learn = async (side: Side): Promise<void> => {
  side.model.learn((await listPersons(side, { limit: 1000 })).results);
};

const events = odds<(random: Random) => Captured>([
  [(random) => plainEvent(random), 5],
  [mergingEvent, 4],
  [profilelessEvent, 1],
]);

const capture: Step = (stage) => {
  const { random } = stage;
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 4]) }, () => random.of(events)(random));
  return send(stage, made);
};

const merge: Step = (stage) => send(stage, [mergingEvent(stage.random)]);

/** Of what is known by its uuid nothing is done twice. */
const repeat: Step = async ({ service, side }) => {
  if (side.sent.length === 0) return;
  const body = { api_key: side.token, batch: side.sent };
  const answer = await service.call('POST', '/batch', { key: null, body });
  expect(verdictOf(answer)).toEqual({ status: 1, accepted: 0, duplicates: side.sent.length, rejected: [] });
};

const recreate: Step = async (stage) => {
  const { free } = stage.side.model;
  if (free.length > 0) await send(stage, [plainEvent(stage.random, stage.random.pick(free))]);
};

const answersWith = (stage: Stage, answer: Answer, person: NaivePerson): void => {
  expect([answer.status, answer.body]).toEqual([200, stage.side.model.shape(person)]);
};

const patch = ofPerson(async (stage, person) => {
  const { random, side } = stage;
  const given = objectOf(someKeys(random, 3).map((key) => [key, valueFor(random, key)]));
  const answer = await side.people.call('PATCH', `persons/${refOf(stage, person)}`, { body: { properties: given } });
  side.model.edit(person, { ...person.properties, ...given });
  answersWith(stage, answer, person);
});

const updateProperty = ofPerson(async (stage, person) => {
  const { random, side } = stage;
  const key = random.pick(keys);
  const value = valueFor(random, key);
  const given = random.chance(0.5) ? { body: { key, value } } : { query: { key, value: JSON.stringify(value) } };
  const answer = await side.people.call('POST', `persons/${refOf(stage, person)}/update_property`, given);
  side.model.edit(person, { ...person.properties, ...objectOf([[key, value]]) });
  answersWith(stage, answer, person);
});

const deleteProperty = ofPerson(async (stage, person) => {
  const { random, side } = stage;
  const $unset = random.pick(random.chance(0.8) ? [...Object.keys(person.properties), 'plan'] : keys);
  const given = random.chance(0.5) ? { body: { $unset } } : { query: { $unset } };
  const answer = await side.people.call('POST', `persons/${refOf(stage, person)}/delete_property`, given);
  const left = Object.entries(person.properties).filter(([key]) => key !== $unset);
  side.model.edit(person, objectOf(left), left.length < Object.keys(person.properties).length);
  answersWith(stage, answer, person);
});

const split: Step = async (stage) => {
  const { random, side } = stage;
  const several = side.model.persons.filter(({ ids }) => ids.length > 1);
  const person = random.pick(random.chance(0.9) && several.length > 0 ? several : side.model.persons);
  if (!person) return;
  const ids = side.model.idsOf(person);
  const main = random.pick(ids);
  const named = ids.slice(1).filter(() => random.chance(0.6));
  const path = `persons/${refOf(stage, person)}/split`;
  if (ids.length > 1 && random.chance(0.2)) {
    const { status, body } = await side.people.call('POST', path, { body: {} });
    expect([status, body]).toMatchObject([400, { distinct_ids: side.model.shape(person).distinct_ids }]);
    return;
  }
  const first = side.model.shape(person).distinct_ids[0];
  const byDefault: [object, readonly string[]] = [{ main_distinct_id: null }, ids.filter((id) => id !== first)];
  const [body, leaving] = random.pick<[object, readonly string[]]>([
    byDefault,
    [{ main_distinct_id: main }, ids.filter((id) => id !== main)],
    named.length > 0 ? [{ distinct_ids_to_split: [...named, ...named].reverse() }, named] : byDefault,
  ]);
  const now = anyMoment(random);
  const answer = await side.people.call('POST', path, {
    body,
    headers: { 'X-Test-Now': now.toISOString() },
  });
  expect(answer.status).toBe(200);
  const { split_persons: made, ...original } = answer.body as PersonDto & { split_persons: PersonDto[] };
  side.model.split(person, leaving, now);
  side.model.learn(made);
  const owners = leaving.map((id) => side.model.owner(id)).filter((owner) => owner !== undefined);
  expect(made).toEqual(owners.map((owner) => side.model.shape(owner)));
  expect(original).toEqual(side.model.shape(person));
};

/** Merges by hand: by ids, known or new, or by the integer id or the uuid of persons. */
const mergeByHand = ofPerson(async (stage, person) => {
  const { random, side } = stage;
  const strangers = side.model.persons.filter((other) => other !== person);
  const chosen = Array.from({ length: random.between(1, 3) }, () => random.pick(strangers)).filter(Boolean);
  const byPersons = chosen.length > 0 && random.chance(0.5);
  const distinct = Array.from({ length: random.between(1, 3) }, () => random.pick(distinctIds));
  const others = byPersons ? chosen.map((other) => side.model.idsOf(other)[0] ?? '') : distinct;
  const body = byPersons ? { persons: chosen.map((other) => refOf(stage, other)) } : { distinct_ids: distinct };
  const answer = await side.people.call('POST', `persons/${refOf(stage, person)}/merge`, { body });
  const merged = side.model.merge(person, others).map(({ id, uuid }) => ({ id, uuid }));
  expect([answer.status, answer.body]).toEqual([200, { ...side.model.shape(person), merged_persons: merged }]);
});

const remove = ofPerson(async (stage, person) => {
  const { people, model } = stage.side;
  const path = `persons/${refOf(stage, person)}`;
  expect((await people.call('DELETE', path)).status).toBe(204);
  model.remove(person);
  expect((await people.call('DELETE', path)).status).toBe(404);
});

const bulkDelete: Step = async (stage) => {
  const { random, side } = stage;
  const { persons, gone } = side.model;
  const chosen = Array.from({ length: persons.length && random.between(0, 3) }, () => random.pick(persons));
  const byDistinctId = random.chance(0.5);
  const known = chosen.map(
    (person) => [byDistinctId ? random.pick(person.ids) : refOf(stage, person), person] as const,
  );
  const unknown = byDistinctId ? [...side.model.free, 'no such id'] : [...gone, '999999999'];
  const given = [...known, [random.pick(unknown), null] as const];
  const deleted = new Map(chosen.map((person) => [person, side.model.shape(person)]));
  const body = { [byDistinctId ? 'distinct_ids' : 'ids']: given.map(([name]) => name) };
  const answer = await side.people.call('POST', 'persons/bulk_delete', { body });
  for (const person of new Set(chosen)) side.model.remove(person);
  const results = given.map(([name, person]) => {
    const shape = person && deleted.get(person);
    const into = person || byDistinctId ? undefined : side.model.mergedInto(name);
    return {
      given: name,
      result: person ? 'deleted' : into ? 'merged' : 'not_found',
      id: shape?.id ?? null,
      uuid: shape?.uuid ?? null,
      deletion_request_id: null,
      ...(into && { merged_into: namesOf(side, into) }),
    };
  });
  expect([answer.status, answer.body]).toEqual([200, { deleted: new Set(chosen).size, results }]);
};

/** Removed persons, and persons of the other project, cannot be reached. */
const touchNoPerson: Step = async ({ random, side, other }) => {
  const strangers = other.model.persons.map((person) => other.model.shape(person));
  const uuids = new Set(side.model.persons.map((person) => side.model.shape(person).uuid));
  const foreign = strangers.flatMap(({ id, uuid }) => (uuids.has(uuid) ? [id] : [id, uuid]));
  const ref = String(
    random.pick([
      ...(random.chance(0.5) ? side.model.mergedRefs : []),
      ...side.model.gone,
      ...foreign.filter((uuid) => side.model.mergedInto(String(uuid)) === undefined),
      999_999_999,
    ]),
  );
  const path = `persons/${ref}`;
  const answer = await random.pick([
    () => side.people.call('GET', path),
    () => side.people.call('PATCH', path, { body: { properties: { plan: 'stolen' } } }),
    () => side.people.call('POST', `${path}/update_property`, { body: { key: 'plan', value: 'stolen' } }),
    () => side.people.call('POST', `${path}/delete_property`, { body: { $unset: 'plan' } }),
    () => side.people.call('POST', `${path}/split`, { body: {} }),
    () => side.people.call('DELETE', path),
    () => side.people.call('GET', `${path}/distinct_ids`),
    () => side.people.call('POST', `${path}/merge`, { body: { distinct_ids: ['ada'] } }),
  ])();
  const into = side.model.mergedInto(ref);
  expect([path, answer.status, answer.body]).toMatchObject([
    path,
    404,
    into ? { code: 'merged', attr: 'id', merged_into: namesOf(side, into) } : { code: 'not_found' },
  ]);
};

const namesOf = ({ model }: Side, person: NaivePerson): { id: number; uuid: string } => {
  const { id, uuid } = model.shape(person);
  return { id, uuid };
};

export const writes: readonly (readonly [string, Step, number])[] = [
  ['capture', capture, 22],
  ['merge', merge, 10],
  ['repeat', repeat, 2],
  ['recreate', recreate, 6],
  ['patch', patch, 6],
  ['update_property', updateProperty, 5],
  ['delete_property', deleteProperty, 5],
  ['split', split, 8],
  ['merge by hand', mergeByHand, 6],
  ['delete', remove, 4],
  ['bulk_delete', bulkDelete, 4],
  ['touch no person', touchNoPerson, 4],
];
