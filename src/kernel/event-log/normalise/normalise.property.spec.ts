import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runsOf } from '../../../../test/support/sample.js';
import { cleanJson, isRecord, type Json } from './json.js';
import { type NormaliseContext, type NormalisedEvent, normalise } from './normalise.js';

const runs = { numRuns: runsOf(2_000, 3) };

const piece = fc.constantFrom('\0', '\uD800', '\uDFFF', '😀', 'é', 'a', '"', '\\u0000', '\u2028', '$', ' ');
const text = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '$set', 'null', 'anonymous', 'phc_token', 'x'.repeat(201)),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Infinity, -Infinity, -0, 1e308, 2 ** 60));

/** Keys are set as JSON.parse sets them: `__proto__` becomes an own property. */
const objectOf = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(text, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('json'), { maxLength: 4 }),
    objectOf(tie('json')),
  ),
}));

const mostly = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: json });

const eventName = fc.constantFrom(
  'signed up',
  '$pageview',
  '$identify',
  '$create_alias',
  '$exception',
  '$merge_dangerously',
);
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('', 'soon', '2024-02-30', '0001-01-01', '9999-12-31T23:59:59Z', '1900-01-01T00:00:00+14:00'),
  fc.double(),
);
const operators = { $set: mostly(objectOf(json)), $set_once: mostly(objectOf(json)), $unset: mostly(fc.array(text)) };
const properties = fc.record(
  {
    ...operators,
    distinct_id: json,
    alias: json,
    $anon_distinct_id: json,
    token: text,
    $browser: json,
    $process_person_profile: mostly(fc.boolean()),
    $ignore_sent_at: fc.boolean(),
    own: json,
  },
  { requiredKeys: [] },
);
const event = fc.record(
  {
    uuid: mostly(fc.uuid()),
    event: mostly(eventName),
    distinct_id: mostly(fc.constantFrom('ada', 'bob')),
    timestamp: mostly(time),
    offset: json,
    ...operators,
    properties: mostly(properties),
  },
  { requiredKeys: ['event', 'distinct_id'] },
);
const raw: fc.Arbitrary<unknown> = mostly(event);

const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
const context: fc.Arbitrary<NormaliseContext> = fc.record({
  now: moment,
  sentAt: fc.option(moment),
  index: fc.nat(),
  engage: fc.boolean(),
});

const isStorable = (value: Json): boolean => {
  if (typeof value === 'string') return Buffer.from(value).toString() === value && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorable);
  return !isRecord(value) || Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
};

const expectStorable = (taken: NormalisedEvent): void => {
  const { timestamp, uuid, person, merge, event: name, distinctId, properties: stored } = taken;
  const { set, setOnce, unset } = person;
  const everything: Json = [uuid, name, distinctId, stored, set, setOnce, unset, merge?.otherDistinctId ?? null];
  expect(isStorable(everything)).toBe(true);
  const written = JSON.stringify(everything);
  expect(JSON.stringify(JSON.parse(written))).toBe(written);
  expect(uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(timestamp.getTime()).toBeGreaterThanOrEqual(Date.UTC(1900, 0, 1));
  expect(timestamp.getTime()).toBeLessThan(Date.UTC(2300, 0, 1));
  expect([...distinctId].length).toBeLessThanOrEqual(200);
  expect(name.trim()).not.toBe('');
};

describe('whatever JSON is sent', () => {
  it('every event is taken in a form both stores can hold, or rejected with its place and reason', () => {
    let taken = 0;
    fc.assert(
      fc.property(raw, context, (sent, chosen) => {
        const outcome = normalise(sent, chosen);
        if (outcome.ok) {
          taken++;
          expectStorable(outcome.event);
        } else {
          expect(outcome.rejection).toMatchObject({
            index: chosen.index,
            detail: expect.stringMatching(/./) as unknown,
          });
        }
      }),
      runs,
    );
    expect(taken).toBeGreaterThan(runs.numRuns / 4);
    expect(taken).toBeLessThan(runs.numRuns);
  });

  it('accepted + rejected = sent', () => {
    fc.assert(
      fc.property(fc.array(raw, { maxLength: 20 }), context, (sent, chosen) => {
        const outcomes = sent.map((each, index) => normalise(each, { ...chosen, index }));
        const rejected = outcomes.filter((outcome) => !outcome.ok).map((outcome) => outcome.rejection.index);
        const accepted = outcomes.filter((outcome) => outcome.ok).length;
        expect(accepted + new Set(rejected).size).toBe(sent.length);
      }),
      { numRuns: 200 },
    );
  });

  it('the same event at the same moment gives the same result, and stays as it was sent', () => {
    fc.assert(
      fc.property(event, fc.uuid(), context, (sent, uuid, chosen) => {
        const before = structuredClone(sent);
        expect(normalise({ ...sent, uuid }, chosen)).toEqual(normalise({ ...sent, uuid }, chosen));
        expect(sent).toEqual(before);
      }),
      runs,
    );
  });

  it('no event lies more than 23 hours ahead of now', () => {
    fc.assert(
      fc.property(event, context, (sent, chosen) => {
        const outcome = normalise(sent, chosen);
        const ahead = outcome.ok ? outcome.event.timestamp.getTime() - chosen.now.getTime() : 0;
        expect(ahead).toBeLessThanOrEqual(23 * 3_600_000);
      }),
      runs,
    );
  });

  it('a person key stands in one of set, setOnce and unset only, and none without person processing', () => {
    fc.assert(
      fc.property(event, context, (sent, chosen) => {
        const outcome = normalise(sent, chosen);
        if (!outcome.ok) return;
        const { process, set, setOnce, unset } = outcome.event.person;
        const keys = [...Object.keys(set), ...Object.keys(setOnce), ...unset];
        expect(new Set(keys).size).toBe(keys.length);
        if (!process) expect([keys, outcome.event.merge, outcome.event.identifies]).toEqual([[], null, false]);
      }),
      runs,
    );
  });

  it('cleaning twice changes no more than cleaning once, and pollutes no prototype', () => {
    fc.assert(
      fc.property(json, (value) => {
        const clean = cleanJson(value);
        expect(isStorable(clean)).toBe(true);
        expect(cleanJson(clean)).toEqual(clean);
        expect(Object.getPrototypeOf(isRecord(clean) ? clean : {})).toBe(Object.prototype);
      }),
      runs,
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
