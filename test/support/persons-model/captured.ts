import { randomUUID } from 'node:crypto';
import { type Random } from '../../../src/app/demo/random.js';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';

const generated = Array.from({ length: 8 }, (_, n) => `018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b${n}a`);

/** What people, machines and attackers call themselves. */
export const distinctIds: readonly string[] = [
  ...['ada', 'ADA', 'bob', 'cy', 'dee', 'eve', 'fay', 'gus', 'ä', '😀', 'a b', ' blank', '%', '_', "it's", '"x"'],
  ...['__proto__', 'constructor', '42', '4.2', 'a,b;c', '<b>', '\\', 'x'.repeat(200)],
  ...generated,
];

/** It merges no persons. */
const illegal = 'anonymous';

export const keys: readonly string[] = ['email', 'name', 'plan', 'n', 'a.b', "it's", '$weird "key"', '__proto__'];

export const emails: readonly string[] = ['Ada@Example.test', 'bob@example.test', 'ümit@other.test'];

export const valueFor = (random: Random, key: string): unknown => {
  if (key === 'email') return random.pick<unknown>([...emails, null]);
  if (key === 'n') return random.between(-2, 12);
  return random.pick<unknown>(['pro', 'free', '', '30', 30, true, null, [1, 'x'], { a: { b: 1 } }, "O'Hara"]);
};

/** `__proto__` is a key like any other. */
export const objectOf = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

export const someKeys = (random: Random, most: number): string[] => {
  const chosen = Array.from({ length: random.between(0, most) }, () => random.pick(keys));
  return [...new Set(chosen)];
};

/** Few moments, so that persons of the same one are frequent. */
export const anyMoment = (random: Random): Date => new Date(Date.UTC(2025, 2, 1, 10, random.between(0, 40)));

export interface Captured {
  /** As it is sent. */
  readonly raw: Record<string, unknown>;
  /** What it says. */
  readonly meaning: IdentityEvent;
}

const merging = [
  ['$identify', 'identify', '$anon_distinct_id'],
  ['$create_alias', 'alias', 'alias'],
  ['$merge_dangerously', 'merge_dangerously', 'alias'],
] as const;

export const plainEvent = (random: Random, distinctId = random.pick(distinctIds)): Captured =>
  captured(random, random.pick(['seen', 'signed up', '$pageview']), distinctId, {});

export const mergingEvent = (random: Random): Captured => {
  const [event, kind, property] = random.pick(merging);
  const distinctId = random.pick(distinctIds);
  const otherDistinctId = random.chance(0.05) ? illegal : random.pick(distinctIds);
  const merge = otherDistinctId === distinctId || otherDistinctId === illegal ? null : { kind, otherDistinctId };
  const { raw, meaning } = captured(random, event, distinctId, { [property]: otherDistinctId });
  return { raw, meaning: { ...meaning, merge, identifies: event === '$identify' } };
};

/** It has every kind of change and changes no person. */
export const profilelessEvent = (random: Random): Captured => {
  const { raw, meaning } = random.chance(0.5) ? plainEvent(random) : mergingEvent(random);
  const properties = { ...(raw.properties as object), $process_person_profile: false };
  const person = { process: false, set: {}, setOnce: {}, unset: [] };
  return { raw: { ...raw, properties }, meaning: { ...meaning, person, merge: null, identifies: false } };
};

const captured = (random: Random, event: string, distinctId: string, properties: Record<string, unknown>): Captured => {
  const changes = someKeys(random, 3).map((key) => [random.pick(['$set', '$set_once', '$unset']), key] as const);
  const valuesOf = (operator: string) =>
    objectOf(changes.filter(([kind]) => kind === operator).map(([, key]) => [key, valueFor(random, key)]));
  const set = valuesOf('$set');
  const setOnce = valuesOf('$set_once');
  const unset = changes.filter(([kind]) => kind === '$unset').map(([, key]) => key);
  const operators = { $set: set, $set_once: setOnce, $unset: unset };
  const uuid = randomUUID();
  const timestamp = anyMoment(random);
  const raw = { uuid, event, distinct_id: distinctId, timestamp: timestamp.toISOString() };
  return {
    raw: random.chance(0.5)
      ? { ...raw, properties, ...operators }
      : { ...raw, properties: { ...properties, ...operators } },
    meaning: {
      ...{ uuid, event, distinctId, timestamp, merge: null, identifies: false },
      person: { process: true, set, setOnce, unset },
    },
  };
};
