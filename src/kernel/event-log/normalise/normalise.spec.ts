import { describe, expect, it } from '@jest/globals';
import { type NormaliseContext, type NormalisedEvent, normalise } from './normalise.js';

const now = new Date('2024-03-01T12:00:00.000Z');
const someUuid = '018df9a0-0000-7000-8000-000000000001';
const context: NormaliseContext = { now, sentAt: null, index: 3, engage: false };

const result = (raw: unknown, overrides: Partial<NormaliseContext> = {}) =>
  normalise(raw, { ...context, ...overrides });

const accepted = (raw: object, overrides: Partial<NormaliseContext> = {}): NormalisedEvent => {
  const outcome = result({ event: 'signed up', distinct_id: 'ada', ...raw }, overrides);
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.event;
};

const rejectedFor = (raw: object) => {
  const outcome = result({ event: 'signed up', distinct_id: 'ada', uuid: someUuid, ...raw });
  return outcome.ok ? outcome : outcome.rejection;
};

describe('an ordinary event', () => {
  it('comes out whole', () => {
    const raw = { uuid: someUuid, event: 'signed up', distinct_id: 'ada', timestamp: '2024-03-01T10:00:00Z' };
    expect(result({ ...raw, properties: { plan: 'pro', $set: { email: 'a@b.c' } } })).toEqual({
      ok: true,
      event: {
        uuid: someUuid,
        event: 'signed up',
        distinctId: 'ada',
        timestamp: new Date('2024-03-01T10:00:00Z'),
        properties: { plan: 'pro', $set: { email: 'a@b.c' } },
        person: { process: true, set: { email: 'a@b.c' }, setOnce: {}, unset: [] },
        merge: null,
        identifies: false,
        groups: [],
        groupChange: null,
        warnings: [],
      },
    });
  });
  it('needs no properties', () => {
    expect(accepted({}).properties).toEqual({});
    expect(accepted({ properties: null }).properties).toEqual({});
  });
  it('has a warning if another name stands for its time or its properties, and none if both are there', () => {
    const warningsOf = (raw: object) => accepted(raw).warnings.map(({ type, detail }) => [type, detail]);
    expect(warningsOf({ time: '2024-02-01', props: { plan: 'pro' } })).toEqual([
      ['misnamed_event_field', 'time is not a field of an event and is ignored: did you mean timestamp?'],
      ['misnamed_event_field', 'props is not a field of an event and is ignored: did you mean properties?'],
    ]);
    expect(warningsOf({ time: 1, timestamp: '2024-02-01T00:00:00Z', data: {}, properties: {} })).toEqual([]);
    expect(warningsOf({ type: 'capture', library: 'x' })).toEqual([]);
  });

  it('loses its token and any personal key, but not a property of the same name', () => {
    expect(accepted({ properties: { token: 'phc_a', api_key: 'phx_b' } }).properties).toEqual({});
    expect(accepted({ properties: { token: 'reset-1', api_key: 7 } }).properties).toEqual({
      token: 'reset-1',
      api_key: 7,
    });
  });
  it('$groupidentify is stored as any other, but has a person only if it sets properties of one', () => {
    const properties = { $group_type: 'company', $group_key: 'acme', $group_set: { name: 'Acme' }, $os: 'Linux' };
    const ofGroup = accepted({ event: '$groupidentify', properties });
    expect(ofGroup).toMatchObject({ properties, merge: null, warnings: [] });
    expect(ofGroup.person).toEqual({ process: false, set: {}, setOnce: {}, unset: [] });
    const ofUser = accepted({ event: '$groupidentify', properties: { ...properties, $set_once: { first: 'a' } } });
    expect(ofUser.person).toMatchObject({ process: true, setOnce: { first: 'a' } });
  });
});

describe('uuid', () => {
  it('is stored in lower case', () => {
    expect(accepted({ uuid: someUuid.toUpperCase() }).uuid).toBe(someUuid);
  });
  it.each([undefined, null, ''])('%p is none: one of version 7 is made from the time of the event', (uuid) => {
    const timestamp = '2020-05-05T05:05:05.055Z';
    const made = accepted({ uuid, timestamp }).uuid;
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(made.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(timestamp));
  });
  it('is made from its own time whatever order events come in, and never twice', () => {
    const times = ['2024-02-01T00:00:05.000Z', '2024-02-01T00:00:01.000Z', '2024-02-01T00:00:05.000Z', '1950-01-01'];
    const made = times.map((timestamp) => accepted({ timestamp }).uuid.replaceAll('-', ''));
    const expected = times.map((time) => Math.max(0, Date.parse(time)));
    expect(made.map((uuid) => parseInt(uuid.slice(0, 12), 16))).toEqual(expected);
    expect(new Set(made).size).toBe(times.length);
  });
  it.each(['abc', `${someUuid}0`, `{${someUuid}}`, 5, true, {}])('%p is malformed', (uuid) => {
    expect(rejectedFor({ uuid })).toMatchObject({ index: 3, uuid: null, code: 'invalid_input' });
  });
});

describe('event name', () => {
  it.each([undefined, null, '', '  \t'])('%p is required', (event) => {
    expect(rejectedFor({ event })).toMatchObject({ index: 3, uuid: someUuid, code: 'required' });
  });
  it.each([5, true, {}, []])('%p is not text', (event) => {
    expect(rejectedFor({ event })).toMatchObject({ code: 'invalid_input', detail: 'event must be text' });
  });
  it('has at most 200 characters, counted as users do', () => {
    expect(accepted({ event: '😀'.repeat(200) }).event).toHaveLength(400);
    expect(rejectedFor({ event: '😀'.repeat(201) })).toMatchObject({ code: 'too_large' });
    expect(rejectedFor({ event: 'x'.repeat(201) })).toMatchObject({ code: 'too_large' });
  });
  it('may be missing on /engage, which means $identify', () => {
    const outcome = result({ $distinct_id: 'ada', $set: { plan: 'pro' } }, { engage: true });
    expect(outcome).toMatchObject({
      event: { event: '$identify', identifies: true, person: { set: { plan: 'pro' } } },
    });
    expect(accepted({ event: 'named' }, { engage: true }).event).toBe('named');
  });
});

describe('distinct id', () => {
  it('is found in each of its places, the first wins', () => {
    const places = { distinct_id: 'a', $distinct_id: 'b', properties: { distinct_id: 'c', $distinct_id: 'd' } };
    expect(accepted(places).distinctId).toBe('a');
    expect(accepted({ ...places, distinct_id: undefined }).distinctId).toBe('b');
    expect(accepted({ distinct_id: '', properties: places.properties }).distinctId).toBe('c');
    expect(accepted({ distinct_id: null, properties: { $distinct_id: 'd' } }).distinctId).toBe('d');
  });
  it.each([
    [5, '5'],
    [1.5, '1.5'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    [{ b: [1, 'x'] }, '{"b":[1,"x"]}'],
    [['a'], '["a"]'],
    ['a\0b\uD800', 'a\uFFFDb\uFFFD'],
    [' padded ', ' padded '],
  ])('%p is stored as text %p', (distinct_id, text) => {
    expect(accepted({ distinct_id }).distinctId).toBe(text);
  });
  it.each([
    [{ distinct_id: 'undefined' }, '"undefined" is sent for many users by mistake'],
    [{ distinct_id: 'null' }, '"null" is sent for many'],
    [{ distinct_id: '[object Object]' }, '"[object Object]" is sent for many'],
    [{ distinct_id: ' '.repeat(30) }, 'is sent for many'],
    [{ distinct_id: 0 }, '"0" is sent for many'],
    [{ distinct_id: true }, '"true" is sent for many'],
    [{ distinct_id: { a: 1 } }, 'distinct_id must be text or a number; the object is used as the text {"a":1}'],
    [{ distinct_id: '', $distinct_id: ['x'] }, 'is used as the text ["x"]'],
    [{ distinct_id: null, properties: { distinct_id: { a: 1 } } }, 'is used as the text {"a":1}'],
  ])('%j is accepted with a warning, as it is one person for many', (raw, detail) => {
    const { warnings } = accepted(raw);
    expect(warnings).toEqual([{ type: 'illegal_distinct_id', detail: expect.stringContaining(detail) }]);
  });
  it.each(['{"a":1}', '[x]', 'anonymous-1', 'undefined-behaviour-of-a-user', '00', 'ada'])(
    '%p has no warning',
    (id) => {
      expect(accepted({ distinct_id: id }).warnings).toEqual([]);
    },
  );
  it('is required', () => {
    expect(rejectedFor({ distinct_id: undefined })).toMatchObject({ code: 'required', uuid: someUuid });
    expect(rejectedFor({ distinct_id: '' })).toMatchObject({ code: 'required' });
  });
  it('longer than 200 characters is refused, not cut', () => {
    expect(accepted({ distinct_id: 'é'.repeat(200) }).distinctId).toHaveLength(200);
    expect(accepted({ distinct_id: '😀'.repeat(200) }).distinctId).toHaveLength(400);
    const detail = 'distinct_id must have at most 200 characters';
    expect(rejectedFor({ distinct_id: 'x'.repeat(201) })).toMatchObject({ code: 'too_large', detail });
    expect(rejectedFor({ distinct_id: '😀'.repeat(201) })).toMatchObject({ code: 'too_large', detail });
  });
  it('as an integer JSON cannot hold exactly is refused, two users would become one', () => {
    const raw = JSON.parse('{"distinct_id":1234567890123456789}') as object;
    expect(rejectedFor(raw)).toMatchObject({ code: 'invalid_input' });
  });
});

describe('what is no event', () => {
  it.each([null, undefined, 5, 'x', true, [], [{ event: 'e', distinct_id: 'd' }]])('%p is refused', (raw) => {
    expect(result(raw)).toMatchObject({ ok: false, rejection: { index: 3, uuid: null, code: 'invalid_input' } });
  });
  it.each([5, 'x', true, []])('properties %p are refused', (properties) => {
    expect(rejectedFor({ properties })).toMatchObject({
      code: 'invalid_input',
      detail: 'properties must be an object',
    });
  });
  const nested = (levels: number) => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as object;
  it('100 levels are taken, 101 refused', () => {
    expect(accepted({ properties: nested(99) }).properties).toEqual(nested(99));
    expect(rejectedFor({ properties: nested(100) })).toMatchObject({ code: 'invalid_input', uuid: someUuid });
  });
  it.each(['properties', 'distinct_id', 'timestamp', '$set', 'other'])(
    'bottomless %s cannot overflow the stack',
    (key) => {
      expect(rejectedFor({ [key]: nested(200_000) })).toMatchObject({ code: 'invalid_input' });
    },
  );
});

describe('text and numbers the stores cannot hold', () => {
  it('NUL and half surrogate pairs become U+FFFD in keys and values, at every depth', () => {
    const properties = { 'a\0': ['\0', { '\uDC00k': 'x\uD83D' }], fine: '😀' };
    expect(accepted({ properties }).properties).toEqual({
      'a\uFFFD': ['\uFFFD', { '\uFFFDk': 'x\uFFFD' }],
      fine: '😀',
    });
    expect(accepted({ event: 'a\0b' }).event).toBe('a\uFFFDb');
    expect(accepted({ $set: { 'k\0': '\0' }, $unset: ['\0'] }).person).toMatchObject({
      set: { 'k\uFFFD': '\uFFFD' },
      unset: ['\uFFFD'],
    });
  });
  it('of keys that become equal the last one stays', () => {
    expect(accepted({ properties: { 'a\0': 1, 'a\uFFFD': 2 } }).properties).toEqual({ 'a\uFFFD': 2 });
  });
  it('numbers beyond a double become text, not null', () => {
    const raw = JSON.parse('{"properties":{"a":1e999,"b":[-1e999],"c":1e308}}') as object;
    expect(accepted(raw).properties).toEqual({ a: 'Infinity', b: ['-Infinity'], c: 1e308 });
  });
  it('__proto__ is a key like any other', () => {
    const raw = JSON.parse(
      '{"__proto__":{"distinct_id":"eve"},"$set":{"__proto__":{"admin":true}},"properties":{"__proto__":{"admin":true},"constructor":1}}',
    ) as object;
    const { properties, person } = accepted(raw);
    expect(Object.keys(properties)).toEqual(['__proto__', 'constructor', '$set']);
    expect(JSON.stringify(person.set)).toBe('{"__proto__":{"admin":true}}');
    expect([properties.admin, person.set.admin, ({} as Record<string, unknown>).admin]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('what is sent is never changed', () => {
    const raw = { event: 'e', distinct_id: 'd', $set: { a: '\0' }, properties: { token: 'phc_a', $set: { b: 1 } } };
    const copy = structuredClone(raw);
    result(raw);
    expect(raw).toEqual(copy);
  });
});
