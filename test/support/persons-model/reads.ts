import { expect } from '@jest/globals';
import { odds, type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { type NaiveLeaf, naivelyHolds } from '../../filters/naive.js';
import { walk } from '../insights/walk.js';
import { anyMoment, distinctIds, emails, keys, valueFor } from './captured.js';
import { listPersons, type PersonPage, shapes, type Side, type Step } from './stage.js';
import { writes } from './writes.js';

type Holds = (person: PersonDto) => boolean;
type Narrowing = (random: Random, side: Side) => readonly [query: Record<string, string | string[]>, holds: Holds];

const emailOf = ({ properties }: PersonDto): string => {
  const { email } = properties as { email?: unknown };
  return typeof email === 'string' ? email.toLowerCase() : '';
};

const isOf = ({ distinct_ids }: PersonDto, id: string): boolean => distinct_ids.includes(id);

/** The texts that a search reads. */
const textsOf = ({ properties, distinct_ids }: PersonDto): string[] => {
  const { email, name, username } = properties as Record<string, unknown>;
  const values = [email, name, username].filter((value) => value !== undefined && value !== null);
  return [...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))), ...distinct_ids];
};

const uuidOfSomePerson = (random: Random, side: Side): string =>
  random.pick([...shapes(side).map(({ uuid }) => uuid), '00000000-0000-4000-8000-000000000000']);

const byDistinctIds: Narrowing = (random) => {
  const expected = Array.from({ length: random.between(1, 5) }, () => random.pick(distinctIds));
  return [{ distinct_id: expected }, (person) => expected.some((id) => isOf(person, id))];
};

const byEmail: Narrowing = (random) => {
  const email = random.pick(emails).toUpperCase();
  return [{ email }, (person) => emailOf(person) === email.toLowerCase()];
};

const bySearch: Narrowing = (random, side) => {
  const search = random.pick([...distinctIds, ...emails, 'example', 'OTHER.test', uuidOfSomePerson(random, side)]);
  const term = search.trim();
  const holds: Holds = (person) =>
    textsOf(person).some((text) => text.toLowerCase().includes(term.toLowerCase())) || person.uuid === term;
  return [{ search }, holds];
};

const byKeyIdentifier: Narrowing = (random) => {
  const expected = random.pick([...distinctIds, ...emails]);
  const holds: Holds = (person) => isOf(person, expected.trim()) || emailOf(person) === expected.trim().toLowerCase();
  return [{ key_identifier: expected }, holds];
};

const operators = ['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lte', 'is_set', 'is_not_set'];

const byProperties: Narrowing = (random) => {
  const leaves = Array.from({ length: random.between(1, 2) }, (): NaiveLeaf => {
    const key = random.pick(keys);
    const operator = random.pick(operators);
    const value = operator.startsWith('is_') && operator.endsWith('set') ? null : textOf(valueFor(random, key));
    return { type: 'person', key, operator, ...(value === null ? {} : { value }) };
  });
  const holds: Holds = ({ properties }) => {
    const person = properties as Record<string, unknown>;
    const metadata = { timestamp: new Date(), distinct_id: '', event: '' };
    const subject = { event: {}, person, metadata, cohorts: new Set<number>() };
    return leaves.every((leaf) => naivelyHolds(leaf, subject, new Date()));
  };
  return [{ properties: JSON.stringify(leaves) }, holds];
};

const textOf = (value: unknown): string | number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value !== '' ? value : 'pro';
};

const byMoment: Narrowing = (random) => {
  const moment = anyMoment(random).toISOString();
  return random.chance(0.5)
    ? [{ created_after: moment }, ({ created_at }) => created_at > moment]
    : [{ created_before: moment }, ({ created_at }) => created_at < moment];
};

const byIdentified: Narrowing = (random) => {
  const expected = random.chance(0.5);
  return [{ is_identified: String(expected) }, ({ is_identified }) => is_identified === expected];
};

const byUuid: Narrowing = (random, side) => {
  const expected = uuidOfSomePerson(random, side);
  return [{ uuid: expected.toUpperCase() }, ({ uuid }) => uuid === expected];
};

const narrowings = odds<Narrowing>([
  [byProperties, 4],
  [bySearch, 3],
  [byDistinctIds, 2],
  [byEmail, 2],
  [byKeyIdentifier, 2],
  [byMoment, 2],
  [byIdentified, 2],
  [byUuid, 1],
]);

const list: Step = async ({ service, random, side }) => {
  const chosen = Array.from({ length: random.between(1, 2) }, () => random.of(narrowings)(random, side));
  const query = Object.assign({}, ...chosen.map(([part]) => part)) as Record<string, string | string[]>;
  // Of two that say the same parameter the later is sent.
  const sent = chosen.filter(([part], at) => {
    const later = Object.assign({}, ...chosen.slice(at + 1).map(([next]) => next)) as object;
    return !Object.keys(part).some((key) => key in later);
  });
  const expected = shapes(side).filter((person) => sent.every(([, holds]) => holds(person)));
  const path = `/api/projects/${side.people.projectId}/persons`;
  const listed = await walk<PersonDto>(service, path, { ...query, limit: 7 });
  expect([query, listed]).toEqual([query, expected]);
  if (random.chance(0.8)) return;
  const csv = await side.people.call('GET', 'persons', { query: { ...query, format: 'csv' } });
  const ids = csv.text.split('\r\n').flatMap((line) => /^\d+(?=,)/.exec(line) ?? []);
  expect([query, ids]).toEqual([query, expected.map(({ id }) => String(id))]);
};

/** Past events follow their distinct id through merges, splits, deletion and return. */
const eventsOf: Step = async ({ random, side }) => {
  const { persons } = side.model;
  if (persons.length === 0) return;
  const person = random.pick(persons);
  const { body } = await side.people.call('GET', 'events', { query: { person_id: person.stored ?? '', limit: 1 } });
  const { count } = body as { count: number };
  expect([person.ids, count]).toEqual([person.ids, side.model.eventsOf(person)]);
};

const happenings = odds(writes.map(([, step, weight]) => [step, weight] as const));

/** Persons that keep their place are listed once, whatever is written between the pages, forwards and backwards. */
const walkUnderChange: Step = async (stage) => {
  const { service, random, side } = stage;
  const places = () => new Map(side.model.persons.map(({ stored, createdAt }) => [Number(stored), createdAt]));
  const before = places();
  const follow = async (link: string): Promise<PersonPage> => {
    const { pathname, search } = new URL(link);
    return (await service.call('GET', pathname + search)).body as PersonPage;
  };
  const seen: number[] = [];
  let page = await listPersons(side, { limit: random.between(1, 7) });
  for (;;) {
    seen.push(...page.results.map(({ id }) => id));
    if (page.next === null) break;
    if (random.chance(0.4)) await random.of(happenings)(stage);
    page = await follow(page.next);
  }
  const after = places();
  const stable = [...before].filter(([id, createdAt]) => after.get(id) === createdAt).map(([id]) => id);
  const times = stable.map((id) => [id, seen.filter((other) => other === id).length]);
  expect(times).toEqual(stable.map((id) => [id, 1]));

  // All persons beyond the page before may be gone, so that none is left to go back from.
  if (page.results.length === 0) return;
  const back: number[] = page.results.map(({ id }) => id);
  while (page.previous !== null) {
    page = await follow(page.previous);
    back.unshift(...page.results.map(({ id }) => id));
  }
  expect(back).toEqual(shapes(side).map(({ id }) => id));
};

export const reads: readonly (readonly [string, Step, number])[] = [
  ['list', list, 14],
  ['events', eventsOf, 6],
  ['walk under change', walkUnderChange, 4],
];
