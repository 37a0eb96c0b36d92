import { randomUUID } from 'node:crypto';
import { type Random } from '../../fuzz/random.js';
import { type Change } from '../insights/changes.js';
import { modelOf, type ModelPerson } from '../insights/model.js';
import { distinctIds, ghost, type Stream, type StreamEvent } from '../insights/stream.js';
import { type Row, type Value } from './expression.js';
import { type Tables } from './statement.js';

export const eventNames = ['open', 'buy', 'leave'] as const;
export const plans = ['pro', 'free', 'Pro', '', "it's", 'a\\b', '7', '%'] as const;
/** Keys of properties; the last ones need a quote. */
export const eventKeys = ['plan', 'price', 'qty', '$os', 'odd key', "o'k"] as const;
export const personKeys = ['plan', 'age'] as const;

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'];

/** Around the night in which clocks change in Berlin; the days before have the change in New York. */
const center = Date.parse('2024-03-31T01:00:00Z');
const minute = 60_000;

const propertyOf = (random: Random, key: string): unknown => {
  if (random.chance(0.2)) return undefined;
  switch (key) {
    case 'price':
      return random.pick<unknown>([10.5, 5, -2.25, 0, '12', 'free', true, null, 0.5]);
    case 'qty':
    case 'age':
      return random.pick<unknown>([1, 2, 3, -1, 0, '2', null, 40]);
    default:
      return random.pick<unknown>([...plans, 7, null, false]);
  }
};

const propertiesOf = (random: Random, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    keys.map((key): [string, unknown] => [key, propertyOf(random, key)]).filter(([, value]) => value !== undefined),
  );

/** The names of the static cohorts of each project. */
export const cohortNames = ['beta', "o'k"] as const;

export interface Tiny {
  readonly stream: Stream;
  readonly changes: readonly Change[];
  /** The distinct ids from which the cohorts are made, after the changes. */
  readonly cohorts: Readonly<Record<string, readonly string[]>>;
  readonly now: number;
}

const isNumeric = (bags: readonly Readonly<Record<string, unknown>>[], key: string): boolean => {
  const values = bags.flatMap((bag) => bag[key] ?? []);
  return values.length > 0 && values.every((value) => typeof value === 'number');
};

/**
 * A few persons and events; no two events and no two persons have the same moment. Each property is a text somewhere: what
 * is always a number has another type, and `numeric-properties.spec.ts` of its own.
 */
export const tinyOf = (random: Random): Tiny => {
  for (;;) {
    const tiny = drawn(random);
    const { events, persons } = modelOf(tiny.stream, tiny.changes);
    const [ofEvents, ofPersons] = [events, persons].map((owners) => owners.map(({ properties }) => properties));
    const numeric = [
      ...eventKeys.filter((key) => isNumeric(ofEvents ?? [], key)),
      ...personKeys.filter((key) => isNumeric(ofPersons ?? [], key)),
    ];
    if (numeric.length === 0) return tiny;
  }
};

const drawn = (random: Random): Tiny => {
  const used = new Set<number>();
  const moment = (): Date => {
    for (;;) {
      const hours = random.chance(0.5) ? random.integer(-30, 30) : random.integer(-24 * 24, 24 * 3);
      const at =
        center + hours * 60 * minute + random.pick([0, 0, 1, 15, 59]) * minute + random.pick([0, 0, 1, 59_999]);
      if (used.has(at)) continue;
      used.add(at);
      return new Date(at);
    }
  };
  const event = (): StreamEvent => ({
    uuid: randomUUID(),
    event: random.pick(eventNames),
    distinctId: random.pick([...distinctIds, ghost]),
    timestamp: moment(),
    properties: propertiesOf(random, eventKeys),
  });
  const some = (least: number, most: number) => Array.from({ length: random.integer(least, most) }, event);
  const persons = distinctIds.map((id) => ({
    distinctIds: [id],
    properties: propertiesOf(random, personKeys),
    createdAt: moment(),
    isIdentified: random.chance(0.3),
  }));
  const merge = () => {
    const distinctId = random.pick(distinctIds);
    const other = random.pick(distinctIds.filter((id) => id !== distinctId));
    return {
      uuid: randomUUID(),
      kind: random.pick(['identify', 'alias'] as const),
      distinctId,
      other,
      timestamp: moment(),
    };
  };
  const stream: Stream = {
    zone: random.pick(zones),
    weekStartDay: 0,
    persons,
    before: some(8, 16),
    merges: Array.from({ length: random.integer(0, 3) }, merge),
    after: some(0, 6),
  };
  const changes: Change[] = random.chance(0.5)
    ? [
        { kind: 'merge', merge: merge() },
        { kind: 'split', distinctId: random.pick(distinctIds), role: random.pick(['stays', 'leaves'] as const) },
      ]
    : [];
  const cohorts = Object.fromEntries(
    cohortNames.map((name) => [name, distinctIds.filter(() => random.chance(0.4))] as const),
  );
  return { stream, changes, cohorts, now: center + random.integer(0, 48) * 60 * minute };
};

const textOf = (value: unknown): Value =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

const cells = (prefix: string, keys: readonly string[], properties: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(keys.map((key) => [`${prefix}${key}`, textOf(properties[key])]));

const nameOfPerson = (person: ModelPerson): string => `person ${person.name}`;

/** A person that a split has made has the time of the split, which is not known beforehand. */
const createdAt = (person: ModelPerson): Value =>
  person.createdAt.getTime() === 0 ? null : person.createdAt.getTime();

const pauseMs = 30 * minute;

const sessionsOf = (events: readonly Row[]): Row[] => {
  const sessions: { person_id: Value; first: number; last: number; events: number }[] = [];
  const inOrder = [...events].sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
  for (const { person_id = null, timestamp } of inOrder) {
    const open = sessions.findLast((session) => session.person_id === person_id);
    if (open && Number(timestamp) - open.last <= pauseMs) {
      open.last = Number(timestamp);
      open.events += 1;
    } else sessions.push({ person_id, first: Number(timestamp), last: Number(timestamp), events: 1 });
  }
  return sessions;
};

/** What the service should show of it, as plain rows. */
export const tablesOf = ({ stream, changes, cohorts: idsOf, now }: Tiny): Tables => {
  const model = modelOf(stream, changes);
  const events = model.events.map(({ event, distinctId, timestamp, properties, person }): Row => ({
    event,
    distinct_id: distinctId,
    timestamp: timestamp.getTime(),
    person_id: person ? nameOfPerson(person) : `no person ${distinctId}`,
    ...cells('properties.', eventKeys, properties),
    ...cells('person.properties.', personKeys, person?.properties ?? {}),
  }));
  const persons = model.persons.map((person): Row => ({
    id: nameOfPerson(person),
    created_at: createdAt(person),
    ...cells('properties.', personKeys, person.properties),
  }));
  const person_distinct_ids = model.persons.flatMap((person) =>
    person.distinctIds.map((distinct_id): Row => ({ distinct_id, person_id: nameOfPerson(person) })),
  );
  const cohorts = Object.keys(idsOf).map((name): Row => ({ name }));
  const members = Object.fromEntries(
    Object.entries(idsOf).map(([name, ids]) => [
      name,
      model.persons.filter((person) => person.distinctIds.some((id) => ids.includes(id))).map(nameOfPerson),
    ]),
  );
  const cohort_people = Object.values(members).flatMap((all) => all.map((person_id): Row => ({ person_id })));
  const rows = { events, persons, person_distinct_ids, sessions: sessionsOf(events), cohorts, cohort_people };
  return { rows, zone: stream.zone, now, members };
};
