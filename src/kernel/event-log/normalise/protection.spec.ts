import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/sample.js';
import { type JsonObject } from './json.js';
import { loggedIdentity, normalise, type NormalisedEvent } from './normalise.js';
import { type Protection } from './protection.js';

const protection: Protection = {
  personProperties: new Set(['plan', 'a.b', '__proto__', '\uFFFD']),
  groupProperties: new Set(['seats', 'constructor']),
  merges: true,
};

const context = { now: new Date('2026-03-01T10:00:00Z'), sentAt: null, index: 0, engage: false };

const read = (raw: unknown, more: { protection?: Protection } = {}): NormalisedEvent | null => {
  const normalised = normalise(raw, { ...context, ...more });
  return normalised.ok ? normalised.event : null;
};

const key = fc.constantFrom(
  ...['plan', 'a.b', '__proto__', '\0', '\uD800', 'seats', 'constructor'],
  ...['Plan', 'plan ', 'a', 'name', '$browser'],
);
const value = fc.constantFrom<unknown>('pro', 1, null, { plan: 'pro' }, ['plan']);
const object = fc
  .array(fc.tuple(key, value), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);
const operator = fc.oneof(object, fc.array(fc.oneof(key, value), { maxLength: 4 }), value);
const operators = fc.record(
  Object.fromEntries(
    ['$set', '$set_once', '$unset', '$group_set', '$group_set_once', '$group_unset'].map((name) => [name, operator]),
  ),
  { requiredKeys: [] },
);
const event = fc
  .record({
    event: fc.constantFrom('seen', '$set', '$identify', '$create_alias', '$merge_dangerously', '$groupidentify'),
    top: operators,
    properties: operators,
    links: fc.record({ alias: value, $anon_distinct_id: value, $process_person_profile: value }, { requiredKeys: [] }),
  })
  .map(({ event: name, top, properties, links }) => ({
    ...top,
    event: name,
    distinct_id: 'ada',
    properties: { ...properties, ...links, $browser: 'Firefox', $group_type: 'company', $group_key: 'acme' },
  }));

const changes = ({ person, groupChange }: Pick<NormalisedEvent, 'person'> & Partial<NormalisedEvent>) => ({
  person: namesIn(person),
  group: groupChange ? namesIn(groupChange) : [],
});

const namesIn = ({ set, setOnce, unset }: { set: object; setOnce: object; unset: readonly string[] }): string[] => [
  ...Object.keys(set),
  ...Object.keys(setOnce),
  ...unset,
];

const runs = { numRuns: runsOf(60_000, 40) };

describe('an event of a sender that may not change protected properties', () => {
  it('changes what it would without the protection, except these, and warns exactly then', () => {
    fc.assert(
      fc.property(event, (raw) => {
        const [free, limited] = [read(raw), read(raw, { protection })];
        if (free === null || limited === null) {
          // An event that a merge with an invalid id makes invalid is valid without the merge.
          expect([raw.event, limited === null]).toEqual(['$merge_dangerously', false]);
          return;
        }
        const [before, after] = [changes(free), changes(limited)];
        expect(after).toEqual({
          // A description of a group has a person only if it sets properties of one.
          person: limited.person.process ? before.person.filter((name) => !protection.personProperties.has(name)) : [],
          group: before.group.filter((name) => !protection.groupProperties.has(name)),
        });
        if (!limited.person.process && free.person.process) expect(raw.event).toBe('$groupidentify');
        expect(limited.merge).toEqual(free.merge?.kind === 'merge_dangerously' ? null : free.merge);
        const isRefused = JSON.stringify(before) !== JSON.stringify(after);
        if (isRefused) expect(limited.warnings.map(({ type }) => type)).toContain('cannot_change_protected_property');
      }),
      runs,
    );
  });

  it('is stored so that a replay of the log does the same', () => {
    fc.assert(
      fc.property(event, (raw) => {
        const limited = read(raw, { protection });
        if (limited === null) return;
        const logged = JSON.parse(JSON.stringify(limited.properties)) as JsonObject;
        const again = loggedIdentity(limited.event, limited.distinctId, logged);
        expect([again.person, again.merge]).toEqual([limited.person, limited.merge]);
      }),
      runs,
    );
  });

  it('names a few of many properties, in one warning', () => {
    const names = Array.from({ length: 8 }, (_, nth) => `p${nth}`);
    const $set = Object.fromEntries(names.map((name) => [name, 1]));
    const all = { ...protection, personProperties: new Set(names) };
    const limited = read(
      { event: 'seen', distinct_id: 'ada', $set, properties: { $unset: names } },
      { protection: all },
    );
    expect(limited?.warnings).toEqual([
      {
        type: 'cannot_change_protected_property',
        detail: 'only a secret key may change "p0", "p1", "p2", "p3", "p4" and 3 more in this project: ignored',
      },
    ]);
  });
});
