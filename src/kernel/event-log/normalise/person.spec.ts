import { describe, expect, it } from '@jest/globals';
import { isIllegalDistinctId } from './event-ids.js';
import { type NormalisedEvent, normalise } from './normalise.js';

const context = { now: new Date('2024-03-01T12:00:00.000Z'), sentAt: null, index: 0, engage: false };

const accepted = (raw: object): NormalisedEvent => {
  const outcome = normalise({ event: 'signed up', distinct_id: 'ada', ...raw }, context);
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.event;
};
const personOf = (raw: object) => accepted(raw).person;
const warningsOf = (raw: object) => accepted(raw).warnings.map((warning) => warning.type);
const properties = (sent: object) => ({ properties: sent });

describe('$set, $set_once and $unset', () => {
  it('are read from properties and from the top level, where the latter wins key by key', () => {
    const inner = { $set: { a: 1, b: 1 }, $set_once: { c: 1 }, $unset: ['x'] };
    expect(personOf(properties(inner))).toEqual({
      process: true,
      set: { a: 1, b: 1 },
      setOnce: { c: 1 },
      unset: ['x'],
    });
    expect(personOf(inner)).toEqual(personOf(properties(inner)));
    const both = { ...properties(inner), $set: { b: 2 }, $set_once: { c: 2, d: 2 }, $unset: ['x', 'y'] };
    expect(personOf(both)).toEqual({ process: true, set: { a: 1, b: 2 }, setOnce: { c: 2, d: 2 }, unset: ['x', 'y'] });
  });
  it('stay in the stored properties, those of the top level too', () => {
    const stored = accepted({ $set: { a: 2 }, $unset: { k: null }, properties: { p: 1, $set: { a: 1, b: 1 } } });
    expect(stored.properties).toEqual({ p: 1, $set: { a: 2, b: 1 }, $unset: ['k'] });
  });
  it('$unset is a list of keys or an object with these keys', () => {
    expect(personOf({ $unset: ['a', 'b', 'a'] }).unset).toEqual(['a', 'b']);
    expect(personOf({ $unset: { a: '', b: 1 } }).unset).toEqual(['a', 'b']);
  });
  it('the later operator wins: set over set_once, unset over both', () => {
    const person = personOf({ $set_once: { a: 1, b: 1, c: 1 }, $set: { b: 2, c: 2 }, $unset: ['c', 'd'] });
    expect(person).toEqual({ process: true, set: { b: 2 }, setOnce: { a: 1 }, unset: ['c', 'd'] });
  });
  it('values may be any JSON, null too', () => {
    const $set = { a: null, b: [1, { c: 'x' }], d: false };
    expect(personOf({ $set }).set).toEqual($set);
  });
  it.each([{ $set: 'x' }, { $set: [1] }, { $set_once: 5 }, { $unset: 'key' }, { $unset: [5] }])(
    '%p is ignored with a warning',
    (bad) => {
      for (const raw of [bad, properties(bad)]) {
        expect(personOf(raw)).toEqual({ process: true, set: {}, setOnce: {}, unset: [] });
        expect(warningsOf(raw)).toEqual(['invalid_person_properties']);
        expect(accepted(raw).properties).toEqual(bad);
      }
    },
  );
  it('a bad one in one place does not spoil the good one in the other', () => {
    const raw = { $set: { a: 1 }, properties: { $set: 'x' } };
    expect(personOf(raw).set).toEqual({ a: 1 });
    expect(warningsOf(raw)).toEqual(['invalid_person_properties']);
  });
  it('$delete_person_property removes by $unset', () => {
    expect(personOf({ event: '$delete_person_property', $unset: ['plan'] }).unset).toEqual(['plan']);
  });
});

describe('properties SDKs add to every event', () => {
  it('go to $set, and to $set_once as initial', () => {
    const person = personOf(properties({ $browser: 'Firefox', utm_source: 'nl', plan: 'pro' }));
    expect(person.set).toEqual({ $browser: 'Firefox', utm_source: 'nl' });
    expect(person.setOnce).toEqual({ $initial_browser: 'Firefox', $initial_utm_source: 'nl' });
  });
  it('of the page and the window are apart, as they change with every event; their initial ones are not', () => {
    const page = { $current_url: 'https://a.example/b', $pathname: '/b', $viewport_width: 800 };
    expect(personOf(properties({ ...page, $os: 'Linux' }))).toEqual({
      process: true,
      set: { $os: 'Linux' },
      momentary: page,
      setOnce: {
        $initial_os: 'Linux',
        $initial_current_url: 'https://a.example/b',
        $initial_pathname: '/b',
        $initial_viewport_width: 800,
      },
      unset: [],
    });
  });
  it('of the page, explicitly set, once or removed, are what the operator says', () => {
    const page = properties({ $current_url: 'https://a.example/b', $pathname: '/b', $host: 'a.example' });
    const person = personOf({
      ...page,
      $set: { $pathname: '/c' },
      $unset: ['$host'],
      $set_once: { $current_url: 'x' },
    });
    expect(person).toMatchObject({ set: { $pathname: '/c' }, unset: ['$host'] });
    expect(person.momentary).toEqual({ $current_url: 'https://a.example/b' });
    expect(person.setOnce).toEqual({
      $initial_current_url: 'https://a.example/b',
      $initial_pathname: '/b',
      $initial_host: 'a.example',
    });
  });
  it('null says nothing', () => {
    expect(personOf(properties({ gclid: null, utm_term: null }))).toMatchObject({ set: {}, setOnce: {} });
  });
  it('an explicit operator goes before them', () => {
    const raw = {
      properties: { $os: 'Linux', $browser: 'Firefox' },
      $set: { $os: 'BSD' },
      $set_once: { $initial_os: 'DOS' },
    };
    expect(personOf({ ...raw, $unset: ['$browser'] })).toMatchObject({
      set: { $os: 'BSD' },
      setOnce: { $initial_os: 'DOS', $initial_browser: 'Firefox' },
    });
  });
});

describe('events that never change persons', () => {
  it.each(['$exception', '$$heatmap'])('%s', (event) => {
    const person = personOf({
      event,
      $set: { a: 1 },
      $set_once: { b: 1 },
      $unset: ['c'],
      properties: { $os: 'Linux' },
    });
    expect(person).toEqual({ process: true, set: {}, setOnce: {}, unset: [] });
  });
});

describe('$process_person_profile', () => {
  const off = { $process_person_profile: false };
  it('false: no person is made or changed, and the event does not look as if one had been', () => {
    const sent = { ...off, $set: { a: 1 }, $browser: 'Firefox' };
    const event = accepted({ properties: sent, $set_once: { b: 1 } });
    expect(event.person).toEqual({ process: false, set: {}, setOnce: {}, unset: [] });
    expect(event.properties).toEqual({ ...off, $browser: 'Firefox' });
    expect(event.warnings).toEqual([]);
  });
  it.each(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'])(
    'false: %s does nothing, and says so',
    (event) => {
      const raw = { event, properties: { ...off, $anon_distinct_id: 'anon', alias: 'anon' } };
      expect(accepted(raw)).toMatchObject({ merge: null, identifies: false });
      expect(warningsOf(raw)).toEqual(['invalid_event_when_process_person_profile_is_false']);
    },
  );
  it.each(['false', 0, null])('%p means true, with a warning', (odd) => {
    const raw = properties({ $process_person_profile: odd, $set: { a: 1 } });
    expect(personOf(raw)).toMatchObject({ process: true, set: { a: 1 } });
    expect(warningsOf(raw)).toEqual(['invalid_process_person_profile']);
  });
  it('true is the default', () => {
    expect(accepted(properties({ $process_person_profile: true }))).toMatchObject({
      person: { process: true },
      warnings: [],
    });
  });
});

describe('merging', () => {
  it.each([
    ['$identify', '$anon_distinct_id', 'identify', true],
    ['$create_alias', 'alias', 'alias', false],
    ['$merge_dangerously', 'alias', 'merge_dangerously', false],
  ])('%s asks to merge the person of %s', (event, key, kind, identifies) => {
    const merge = { kind, otherDistinctId: 'anon-1' };
    expect(accepted({ event, properties: { [key]: 'anon-1' } })).toMatchObject({ merge, identifies, warnings: [] });
    const asNumber = accepted({ event, properties: { [key]: 15 } });
    expect(asNumber.merge).toEqual({ kind, otherDistinctId: '15' });
  });
  it('an ordinary event with such properties asks nothing', () => {
    expect(accepted(properties({ $anon_distinct_id: 'anon', alias: 'b' }))).toMatchObject({
      merge: null,
      identifies: false,
    });
    expect(accepted({ event: 'constructor', ...properties({ alias: 'b' }) }).merge).toBeNull();
  });
  it('$identify without an anonymous id only identifies', () => {
    expect(accepted({ event: '$identify' })).toMatchObject({ merge: null, identifies: true, warnings: [] });
  });
  it.each(['$create_alias', '$merge_dangerously'])('%s without alias does nothing, with a warning', (event) => {
    expect(accepted({ event })).toMatchObject({ merge: null, identifies: false });
    expect(warningsOf({ event })).toEqual(['merge_without_other_distinct_id']);
  });
  it('with itself is nothing to do', () => {
    const raw = { event: '$create_alias', properties: { alias: 'ada' } };
    expect(accepted(raw)).toMatchObject({ merge: null, warnings: [] });
  });
  it('on an illegal id, on either side, is refused with a warning, and the event is stored', () => {
    const illegal = ['cannot_merge_with_illegal_distinct_id'];
    expect(warningsOf({ event: '$identify', properties: { $anon_distinct_id: 'anonymous' } })).toEqual(illegal);
    const raw = { event: '$create_alias', distinct_id: 'null', properties: { alias: 'b' } };
    expect(warningsOf(raw)).toEqual(illegal);
    expect(accepted(raw)).toMatchObject({ merge: null, distinctId: 'null', person: { process: true } });
  });
  it.each(['$identify', '$create_alias', '$merge_dangerously'])(
    'of the id of all visitors in cookieless mode is refused with a warning: %s',
    (event) => {
      const [mine, theirs] = [{ $anon_distinct_id: '$posthog_cookieless' }, { $anon_distinct_id: 'ada' }];
      const into = { event, properties: { ...mine, alias: '$posthog_cookieless', $set: { plan: 'pro' } } };
      expect(accepted(into)).toMatchObject({ merge: null, person: { process: true, set: { plan: 'pro' } } });
      expect(warningsOf(into)).toEqual(['cookieless_mode_not_supported']);
      const from = { event, distinct_id: '$posthog_cookieless', properties: { ...theirs, alias: 'ada' } };
      expect(accepted(from)).toMatchObject({ merge: null, identifies: false, person: { process: false } });
      expect(warningsOf(from)).toEqual(['cookieless_mode_not_supported']);
    },
  );
  it('with an id over 200 characters is refused like any such id', () => {
    const raw = { event: '$create_alias', distinct_id: 'ada', properties: { alias: 'x'.repeat(201) } };
    const rejection = { code: 'too_large', detail: 'properties.alias must have at most 200 characters' };
    expect(normalise(raw, context)).toMatchObject({ ok: false, rejection });
  });
});

describe('an event in cookieless mode', () => {
  const visit = { distinct_id: '$posthog_cookieless', properties: { $cookieless_mode: true, $browser: 'Firefox' } };

  it('has no person, because its distinct id is that of all visitors', () => {
    expect(accepted(visit)).toMatchObject({
      distinctId: '$posthog_cookieless',
      properties: visit.properties,
      person: { process: false, set: {}, setOnce: {} },
      warnings: [{ type: 'cookieless_mode_not_supported' }],
    });
    const withSet = { ...visit, $set: { plan: 'pro' }, properties: { $set_once: { a: 1 }, n: 1 } };
    expect(accepted(withSet)).toMatchObject({ properties: { n: 1 }, person: { process: false, set: {} } });
  });
  it('has a person when it names a user', () => {
    const raw = { distinct_id: 'ada', properties: { $cookieless_mode: true } };
    expect(accepted(raw)).toMatchObject({ person: { process: true }, warnings: [] });
  });
});

describe('isIllegalDistinctId', () => {
  it.each([
    ...[
      'anonymous',
      'Guest',
      'DISTINCTID',
      'distinct_id',
      'ID',
      'not_authenticated',
      'email',
      'Undefined',
      'True',
      'false',
    ],
    ...['[object Object]', 'NaN', 'None', 'none', 'null', '0', 'undefined'],
    ...['', ' ', '\t\n', '""', "''", '" "', '"anonymous"', "'null'", '"[object Object]"'],
  ])('%p is illegal', (id) => {
    expect(isIllegalDistinctId(id)).toBe(true);
  });
  it.each(['ada', 'NULL', 'nan', 'NONE', '00', 'anonymous-1', '"null', `"null'`, '"', 'a b'])('%p is not', (id) => {
    expect(isIllegalDistinctId(id)).toBe(false);
  });
});
