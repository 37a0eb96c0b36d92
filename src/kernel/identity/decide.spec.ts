import { describe, expect, it } from '@jest/globals';
import { decide, type Decision } from './decide.js';
import { event, identify, merging, moment } from '../../../test/support/identity-events.js';
import { type Properties } from './identity-event.js';
import { type StoredPersons, type StoredPerson } from './person-group.js';
import { maxPersonPropertiesBytes } from './person-properties.js';

type StoredInput = Partial<Omit<StoredPerson, 'id'>> & { readonly ids: readonly string[] };

const stored = (persons: Readonly<Record<string, StoredInput>>): StoredPersons => ({
  persons: new Map(
    Object.entries(persons).map(([id, { properties = {}, isIdentified = false, createdAt = moment('09:00') }]) => [
      id,
      { id, properties, isIdentified, createdAt },
    ]),
  ),
  owners: new Map(Object.entries(persons).flatMap(([id, { ids }]) => ids.map((distinctId) => [distinctId, id]))),
});

const nobody = stored({});
const nothing: Decision = { made: [], changed: [], attached: [], merged: [], merges: [], warnings: [] };
const change = (id: string, changed: Properties, more: object = {}) => ({
  id,
  changed,
  removed: [],
  isIdentified: false,
  createdAt: moment('09:00'),
  ...more,
});

describe('an event with person processing', () => {
  it('makes a person for a distinct id without one, created at the time of the event that came first', () => {
    const events = [
      event('ada', { timestamp: moment('11:00'), set: { plan: 'pro' } }),
      event('ada', { timestamp: moment('10:30') }),
    ];
    expect(decide(nobody, events)).toEqual({
      ...nothing,
      made: [{ distinctId: 'ada', properties: { plan: 'pro' }, isIdentified: false, createdAt: moment('11:00') }],
    });
  });

  it('leaves created_at of an existing person alone', () => {
    expect(decide(stored({ 1: { ids: ['ada'] } }), [event('ada', { timestamp: moment('08:00') })])).toEqual(nothing);
  });

  it('touches no person when it says process: false', () => {
    const events = [
      event('ada', { process: false, set: { plan: 'pro' } }),
      identify('ada', 'anon', { process: false }),
    ];
    expect(decide(nobody, events)).toEqual(nothing);
  });

  it('with $set overwrites, with $set_once fills gaps only, with $unset removes', () => {
    const persons = stored({ 1: { ids: ['ada'], properties: { plan: 'free', city: 'Ulm', age: 3 } } });
    const changes = { set: { plan: 'pro' }, setOnce: { city: 'Bonn', first: 'x' }, unset: ['age', 'unknown'] };
    expect(decide(persons, [event('ada', changes)]).changed).toEqual([
      change('1', { plan: 'pro', first: 'x' }, { removed: ['age'] }),
    ]);
  });

  it('does not write for the page alone, and writes it where there is none or something else changes', () => {
    const persons = stored({ 1: { ids: ['ada'], properties: { $pathname: '/a', plan: 'free' } } });
    const at = (page: string, changes = {}) => event('ada', { momentary: { $pathname: page }, ...changes });
    expect(decide(persons, [at('/b'), at('/c', { set: { plan: 'free' } })])).toEqual(nothing);
    expect(decide(persons, [at('/b', { setOnce: { plan: 'pro' } }), at('/c', { unset: ['gone'] })])).toEqual(nothing);
    const written = decide(persons, [at('/b'), at('/c', { set: { plan: 'pro' } }), at('/d')]);
    expect(written.changed).toEqual([change('1', { plan: 'pro', $pathname: '/c' })]);
    const missing = event('ada', { momentary: { $pathname: '/b', $host: 'a.example' } });
    expect(decide(persons, [missing]).changed).toEqual([change('1', { $pathname: '/b', $host: 'a.example' })]);
    expect(decide(nobody, [at('/b')]).made[0]?.properties).toEqual({ $pathname: '/b' });
  });

  it('keeps a null by $set_once: null is a value', () => {
    const persons = stored({ 1: { ids: ['ada'], properties: { plan: null } } });
    expect(decide(persons, [event('ada', { setOnce: { plan: 'pro' } })])).toEqual(nothing);
  });

  it.each([
    ['the same value', [{ set: { deep: { b: [1], a: 2 } } }]],
    ['a value that is set back in the same group', [{ set: { plan: 'pro' } }, { set: { plan: 'free' } }]],
    ['a key that is removed and comes back', [{ unset: ['plan'] }, { setOnce: { plan: 'free' } }]],
  ])('changes nothing by %s', (_, changes) => {
    const persons = stored({ 1: { ids: ['ada'], properties: { plan: 'free', deep: { a: 2, b: [1] } } } });
    const events = changes.map((each) => event('ada', each));
    expect(decide(persons, events)).toEqual(nothing);
  });

  it('applies to the person in the order received, whatever the timestamps say', () => {
    const events = [
      event('ada', { timestamp: moment('12:00'), set: { plan: 'first' } }),
      event('ada', { timestamp: moment('11:00'), set: { plan: 'second' } }),
    ];
    expect(decide(nobody, events).made[0]?.properties).toEqual({ plan: 'second' });
  });

  it.each(['__proto__', 'constructor', 'toString'])('treats %s as a key like any other', (key) => {
    const changes = Object.fromEntries([[key, 1]]);
    const persons = stored({ 1: { ids: ['ada'] } });
    const changed = decide(persons, [event('ada', { setOnce: changes })]).changed[0]?.changed ?? {};
    expect(Object.entries(changed)).toEqual([[key, 1]]);
  });
});

describe('the size of person properties', () => {
  const full = { text: 'x'.repeat(maxPersonPropertiesBytes - '{"text":""}'.length) };
  const persons = stored({ 1: { ids: ['ada'], properties: { plan: 'free' } } });

  it('may reach the limit exactly', () => {
    const { made, warnings } = decide(nobody, [event('ada', { set: full })]);
    expect(made[0]?.properties).toEqual(full);
    expect(warnings).toEqual([]);
  });

  it('is counted in bytes, and an event that would exceed it changes nothing and causes a warning', () => {
    const events = [
      event('ada', { set: { city: 'Ulm' } }),
      event('ada', { set: { ...full, text2: 'é' }, unset: ['plan'] }),
    ];
    const { changed, warnings } = decide(persons, events);
    expect(changed).toEqual([change('1', { city: 'Ulm' })]);
    expect(warnings).toMatchObject([
      { type: 'person_properties_too_large', eventUuid: events[1]?.uuid, distinctId: 'ada' },
    ]);
  });

  it.each([
    ['a list', ['x'.repeat(maxPersonPropertiesBytes)]],
    ['an object', { a: 'x'.repeat(maxPersonPropertiesBytes) }],
  ])('is counted in %s too', (_, value) => {
    const { changed, warnings } = decide(persons, [event('ada', { set: { value } })]);
    expect(changed).toEqual([]);
    expect(warnings).toMatchObject([{ type: 'person_properties_too_large' }]);
  });

  it('counts what events before have added and removed', () => {
    const half = 'x'.repeat(maxPersonPropertiesBytes / 2);
    const events = [{ set: { a: half } }, { set: { b: half } }, { unset: ['a'] }, { set: { b: half } }];
    const { made, warnings } = decide(
      nobody,
      events.map((changes) => event('ada', changes)),
    );
    expect(Object.keys(made[0]?.properties ?? {})).toEqual(['b']);
    expect(warnings).toHaveLength(1);
  });

  it('may shrink when it is over the limit already', () => {
    const over = stored({ 1: { ids: ['ada'], properties: { ...full, more: 'x', other: 1 } } });
    expect(decide(over, [event('ada', { unset: ['other'] })])).toMatchObject({ changed: [{ removed: ['other'] }] });
  });

  it('makes a merge leave out the properties of the merged person, not the merge', () => {
    const two = stored({ 1: { ids: ['ada'], properties: full }, 2: { ids: ['anon'], properties: { b: 'x' } } });
    const { merged, changed, warnings } = decide(two, [identify('ada', 'anon')]);
    expect(merged).toEqual([{ id: '2', into: { stored: '1' } }]);
    expect(changed).toEqual([change('1', {}, { isIdentified: true })]);
    expect(warnings).toMatchObject([{ type: 'person_properties_too_large', distinctId: 'ada' }]);
  });
});

describe('$identify without another id', () => {
  it('marks the person identified', () => {
    const events = [event('ada', { identifies: true })];
    expect(decide(stored({ 1: { ids: ['ada'] } }), events).changed).toEqual([change('1', {}, { isIdentified: true })]);
    expect(decide(nobody, events).made).toMatchObject([{ distinctId: 'ada', isIdentified: true }]);
  });
});

describe.each(['identify', 'alias', 'merge_dangerously'] as const)('a merge by %s', (kind) => {
  const merge = (changes = {}) => merging(kind, 'ada', 'anon', changes);

  it('makes one identified person with both ids when neither has one, and applies the event', () => {
    expect(decide(nobody, [merge({ set: { plan: 'pro' } })])).toEqual({
      ...nothing,
      made: [{ distinctId: 'ada', properties: { plan: 'pro' }, isIdentified: true, createdAt: moment('10:00') }],
      attached: [{ distinctId: 'anon', to: { madeFor: 'ada' } }],
    });
  });

  it.each([
    ['other', 'anon', 'ada'],
    ['own', 'ada', 'anon'],
  ])('adds the id without a person to the %s person, even an identified one', (_, known, added) => {
    const persons = stored({ 1: { ids: [known], isIdentified: true } });
    expect(decide(persons, [merge({ set: { plan: 'pro' } })])).toEqual({
      ...nothing,
      changed: [change('1', { plan: 'pro' }, { isIdentified: true })],
      attached: [{ distinctId: added, to: { stored: '1' } }],
    });
  });

  it('moves nothing when both ids belong to the same person', () => {
    const persons = stored({ 1: { ids: ['ada', 'anon'], isIdentified: true } });
    expect(decide(persons, [merge({ set: { plan: 'pro' } })])).toEqual({
      ...nothing,
      changed: [change('1', { plan: 'pro' }, { isIdentified: true })],
    });
  });

  it("merges the other person: own values win, the event's come last, the earlier created_at stays", () => {
    const persons = stored({
      1: { ids: ['ada'], properties: { a: 'own', b: 'own' } },
      2: { ids: ['anon'], properties: { a: 'other', c: 'other', d: 'other' }, createdAt: moment('07:00') },
    });
    expect(decide(persons, [merge({ set: { b: 'event' }, setOnce: { c: 'event' }, unset: ['d'] })])).toEqual({
      ...nothing,
      changed: [change('1', { b: 'event', c: 'other' }, { isIdentified: true, createdAt: moment('07:00') })],
      merged: [{ id: '2', into: { stored: '1' } }],
      merges: [expect.objectContaining({ merged: { stored: '2' }, into: { stored: '1' }, kind, newIds: [] })],
    });
  });

  it('takes an identified person only if it is dangerous', () => {
    const persons = stored({ 1: { ids: ['ada'], isIdentified: true }, 2: { ids: ['anon'], isIdentified: true } });
    const sent = merge({ set: { plan: 'pro' } });
    const { changed, merged, warnings } = decide(persons, [sent]);
    expect(changed).toEqual([change('1', { plan: 'pro' }, { isIdentified: true })]);
    if (kind === 'merge_dangerously') {
      expect({ merged, warnings }).toEqual({ merged: [{ id: '2', into: { stored: '1' } }], warnings: [] });
    } else {
      expect(merged).toEqual([]);
      expect(warnings).toMatchObject([
        { type: 'cannot_merge_already_identified', eventUuid: sent.uuid, distinctId: 'ada' },
      ]);
    }
  });
});

describe('a group of merges', () => {
  it('follows a chain to its end', () => {
    const persons = stored({ 1: { ids: ['a'] }, 2: { ids: ['b'] }, 3: { ids: ['c'] } });
    const events = [
      merging('merge_dangerously', 'b', 'a'),
      merging('merge_dangerously', 'c', 'b'),
      event('a', { set: { x: 1 } }),
    ];
    expect(decide(persons, events)).toMatchObject({
      changed: [{ id: '3', changed: { x: 1 } }],
      merged: [
        { id: '1', into: { stored: '3' } },
        { id: '2', into: { stored: '3' } },
      ],
    });
  });

  it('names every merge, also of persons that the group made, with the ids that they had by then', () => {
    const persons = stored({ 1: { ids: ['ada'] } });
    const events = [
      event('phone'),
      merging('alias', 'phone', 'tablet'),
      event('laptop'),
      merging('merge_dangerously', 'laptop', 'phone'),
      merging('merge_dangerously', 'ada', 'laptop'),
    ];
    expect(decide(persons, events).merges.map(({ merged, into, newIds }) => [merged, into, newIds])).toEqual([
      [{ madeFor: 'phone' }, { madeFor: 'laptop' }, ['phone', 'tablet']],
      [{ madeFor: 'laptop' }, { stored: '1' }, ['laptop']],
    ]);
  });

  it('merges an existing person into one the group has just made', () => {
    const persons = stored({ 1: { ids: ['anon'], properties: { a: 1 }, createdAt: moment('07:00') } });
    expect(decide(persons, [event('ada'), identify('ada', 'anon')])).toEqual({
      ...nothing,
      made: [{ distinctId: 'ada', properties: { a: 1 }, isIdentified: true, createdAt: moment('07:00') }],
      merged: [{ id: '1', into: { madeFor: 'ada' } }],
      merges: [expect.objectContaining({ merged: { stored: '1' }, into: { madeFor: 'ada' }, kind: 'identify' })],
    });
  });

  it('survives a chain of ten thousand', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => merging('merge_dangerously', `${at + 1}`, `${at}`));
    const { made, attached } = decide(nobody, [...chain, event('0')]);
    expect(made).toMatchObject([{ distinctId: '1' }]);
    expect(attached).toHaveLength(10_000);
  });
});
