import fc from 'fast-check';
import { type IdentityEvent } from '../../src/kernel/identity/identity-event.js';

const distinctId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'A', 'ä', '😀', '__proto__');
const key = fc.constantFrom('plan', 'city', 'age', 'text');
const big = fc.constantFrom(200_000, 300_000, 400_000).map((length) => 'x'.repeat(length));
const value = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(1, 2, 'x', '', null, true, [1, 2], { a: 1, b: [] }, { b: [], a: 1 }) },
  { weight: 1, arbitrary: big },
);

const changes = fc.dictionary(key, fc.tuple(fc.constantFrom('set', 'setOnce', 'unset', 'momentary'), value), {
  maxKeys: 3,
});

const person = fc.tuple(fc.integer({ min: 0, max: 9 }), changes).map(([chance, drawn]) => {
  const of = (kind: string) => Object.entries(drawn).filter(([, [operator]]) => operator === kind);
  const valuesOf = (operator: string) => Object.fromEntries(of(operator).map(([name, [, given]]) => [name, given]));
  return {
    process: chance > 0,
    set: valuesOf('set'),
    setOnce: valuesOf('setOnce'),
    momentary: valuesOf('momentary'),
    unset: of('unset').map(([name]) => name),
  };
});

const merge = fc.option(
  fc.record({
    kind: fc.constantFrom('identify' as const, 'alias' as const, 'merge_dangerously' as const),
    otherDistinctId: distinctId,
  }),
);

export const identityEvent: fc.Arbitrary<IdentityEvent> = fc
  .record({
    uuid: fc.uuid(),
    event: fc.constant('some'),
    distinctId,
    timestamp: fc.integer({ min: 0, max: 20 }).map((minutes) => new Date(Date.UTC(2025, 2, 1, 10, minutes))),
    person,
    merge,
    identifies: fc.boolean(),
  })
  .map((event) => ({ ...event, merge: event.merge?.otherDistinctId === event.distinctId ? null : event.merge }));

export const identityEvents = fc.array(identityEvent, { maxLength: 14 });
