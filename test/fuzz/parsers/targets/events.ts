import { type Normalised, loggedIdentity, normalise } from '../../../../src/kernel/event-log/normalise/normalise.js';
import { isStorable } from '../../../../src/platform/time/dates.js';
import { demand, assertEqual, type ParserTarget } from '../target.js';

const now = new Date('2026-03-01T12:00:00Z');

const unstorable = /[\0\p{Surrogate}]/u;

/** Neither store can hold a text with a null character or half of a surrogate pair. */
export const isStorableText = (value: unknown): boolean => {
  if (typeof value === 'string') return !unstorable.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => !unstorable.test(key) && isStorableText(member));
};

/** Holds for an event in whatever dialect it came. */
export const assertStorable = (result: Normalised): void => {
  if (!result.ok) {
    const { detail, uuid } = result.rejection;
    demand(detail !== '' && (uuid === null || /^[0-9a-f-]{36}$/.test(uuid)), 'a rejection has a reason');
    return;
  }
  const { event } = result;
  demand(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(event.uuid), 'an event has a uuid');
  demand(isStorable(event.timestamp.getTime()), 'an event has a time that can be stored');
  demand(event.distinctId !== '' && event.event !== '', 'an event has a name and an id');
  const texts = [event.event, event.distinctId, event.properties, event.person, event.merge];
  demand(isStorableText(texts), 'an event has only texts that can be stored');
  assertEqual(JSON.parse(JSON.stringify(event.properties)), event.properties, 'properties are JSON');
};

/** The log stores an event in its normalised form; what it says about persons must not have changed by this. */
export const assertSameIdentity = (result: Normalised): void => {
  if (!result.ok) return;
  const { event } = result;
  const again = loggedIdentity(event.event, event.distinctId, event.properties);
  const once = { person: event.person, merge: event.merge, identifies: event.identifies };
  const twice = { person: again.person, merge: again.merge, identifies: again.identifies };
  assertEqual(twice, once, 'the log has of persons what the event had');
};

export const parsedOrNull = (input: Buffer): unknown => {
  try {
    return JSON.parse(input.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** An event is rejected with a reason, or normalised to what both stores can hold. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    ...[
      '"event"',
      '"$set"',
      '"$set_once"',
      '"$unset"',
      '"distinct_id"',
      '"$distinct_id"',
      '"properties"',
      '"timestamp"',
    ],
    ...[
      '"offset"',
      '"sent_at"',
      '"$ignore_sent_at"',
      '"$identify"',
      '"$create_alias"',
      '"$merge_dangerously"',
      '"alias"',
    ],
    ...[
      '"$anon_distinct_id"',
      '"$process_person_profile"',
      '"$groupidentify"',
      '"uuid"',
      '"token"',
      '"__proto__"',
      '1e999',
    ],
    ...['\\u0000', '\\ud800', '"2026-02-28T10:00:00.000Z"', '"$pageview"', '"$initial_referrer"', '"$current_url"'],
  ],
  run: (input) => {
    const raw = parsedOrNull(input);
    if (raw === undefined) return;
    for (const engage of [false, true]) {
      const result = normalise(raw, { now, sentAt: null, index: 0, engage });
      assertStorable(result);
      assertSameIdentity(result);
    }
  },
};

export default target;
