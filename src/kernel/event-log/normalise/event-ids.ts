import { randomFillSync } from 'node:crypto';
import { type Checked, type EventWarnings, accept, noWarnings, refuse, standIn } from './checked.js';
import { cleanJson, isLongerThan } from './json.js';
import { maxDistinctIdCharacters } from './limits.js';
import { visitorPrefix } from './visitor-id.js';
import { V7Generator } from 'uuidv7';
import { isUuid } from '../../../platform/values/ids.js';

/** The event's distinct id, from the first of its possible fields that contains one. */
export const eventDistinctId = (
  event: Record<string, unknown>,
  properties: Record<string, unknown>,
): Checked<string> => {
  for (const value of candidatesOf(event, properties)) {
    const text = distinctIdText(value, 'distinct_id');
    if (!text.ok) return text;
    if (text.value !== null) return accept(text.value);
  }
  return refuse('required', `distinct_id is missing, say whose event this is${standIn(event, 'distinct_id')}`);
};

const candidatesOf = (event: Record<string, unknown>, properties: Record<string, unknown>): unknown[] => [
  event.distinct_id,
  event.$distinct_id,
  properties.distinct_id,
  properties.$distinct_id,
];

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Returns the text form of a distinct id, which may be any JSON; null and the empty string count as absent. An id that is
 * too long is rejected rather than cut, and so is an integer beyond 2^53: both would make two users one.
 */
export const distinctIdText = (value: unknown, name: string): Checked<string | null> => {
  if (!isPresent(value)) return accept(null);
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return refuse('invalid_input', `${name} is too large for an exact number, send it as text`);
  }
  const clean = cleanJson(value);
  const text = typeof clean === 'object' ? JSON.stringify(clean) : String(clean);
  if (isLongerThan(text, maxDistinctIdCharacters)) {
    return refuse('too_large', `${name} must have at most ${maxDistinctIdCharacters} characters`);
  }
  return accept(text);
};

const illegalInAnyCase = new Set(
  'anonymous guest distinctid distinct_id id not_authenticated email undefined true false'.split(' '),
);
const illegalIds = new Set(['[object Object]', 'NaN', 'None', 'none', 'null', '0']);
const quotedText = /^(["'])(.*)\1$/s;

/** Ids that many users share by mistake (`"null"`, `anonymous`, blank): a merge by one of them would join strangers. */
export const isIllegalDistinctId = (distinctId: string): boolean => {
  const bare = quotedText.exec(distinctId)?.[2] ?? distinctId;
  return bare.trim() === '' || illegalIds.has(bare) || illegalInAnyCase.has(bare.toLowerCase());
};

/** SDKs in cookieless mode send this id for all visitors; the reference product replaces it by a hash that changes each day. */
export const cookielessId = '$posthog_cookieless';

export const cookielessWarning: EventWarnings = [
  {
    type: 'cookieless_mode_not_supported',
    detail:
      `${cookielessId} is the distinct id of all visitors in cookieless mode: ` +
      'its events have no person and count as one visitor, and no person is merged by it',
  },
];

/** True for an id of visitors in cookieless mode: the one that SDKs send for all, and those that the service makes for a day. */
export const isCookielessId = (distinctId: string): boolean =>
  distinctId.startsWith('$') && (distinctId === cookielessId || distinctId.startsWith(visitorPrefix));

export const visitorWarning: EventWarnings = [
  {
    type: 'cookieless_visitor_not_merged',
    detail:
      'a visitor in cookieless mode is never merged with a person: visitors behind one address with the same browser have one id',
  },
];

/** Warns of an id that several users probably share: a placeholder such as `undefined`, or an object. */
export const distinctIdWarnings = (
  distinctId: string,
  event: Record<string, unknown>,
  properties: Record<string, unknown>,
): EventWarnings => {
  if (isOrdinary(distinctId)) return noWarnings;
  if (distinctId === cookielessId) return cookielessWarning;
  if (isIllegalDistinctId(distinctId)) {
    return illegal(`${JSON.stringify(distinctId)} is sent for many users by mistake: all of them are one person`);
  }
  if (!isObject(candidatesOf(event, properties).find(isPresent))) return noWarnings;
  return illegal(`distinct_id must be text or a number; the object is used as the text ${distinctId}`);
};

/** The length of the longest illegal id, in quotes. */
const longestIllegal = '"not_authenticated"'.length;

/**
 * True for most ids that need no warning. A look at two characters is enough and cheap, as every event is checked. Illegal ids
 * and objects never end with a digit from 1 to 9, and long ones never begin with a letter or digit.
 */
const isOrdinary = (distinctId: string): boolean => {
  const last = distinctId.charCodeAt(distinctId.length - 1);
  if (last >= 0x31 && last <= 0x39) return true;
  const first = distinctId.charCodeAt(0) | 0x20;
  return distinctId.length > longestIllegal && ((first >= 0x61 && first <= 0x7a) || (first >= 0x30 && first <= 0x39));
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const illegal = (detail: string): EventWarnings => [{ type: 'illegal_distinct_id', detail }];

/** The sender's uuid in lower case; null when none was sent. */
export const senderUuid = (value: unknown): Checked<string | null> => {
  if (value === undefined || value === null || value === '') return accept(null);
  if (typeof value === 'string' && isUuid(value)) return accept(value.toLowerCase());
  return refuse('invalid_input', 'uuid must have the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx');
};

const drawn = new Uint32Array(1024);
let next = drawn.length;

/** Random numbers, drawn many at a time: a draw for each uuid takes most of the time that its event's id takes. */
const nextUint32 = (): number => {
  if (next === drawn.length) {
    randomFillSync(drawn);
    next = 0;
  }
  next += 1;
  return drawn[next - 1] as number;
};

const generator = new V7Generator({ nextUint32 });
// Each uuid takes the time of its own event, even when the last uuid has a later one, because events do not arrive in the order
// they happened.
generator.setRollbackAllowance(0);

/** Version 7 counts from 1970; an earlier event gets a uuid of that moment. */
export const uuidAt = (time: Date): string => generator.generateOrResetWithTs(Math.max(0, time.getTime())).toString();
