import { accept, type Checked, refuse } from './checked.js';
import { cleanJson, isLongerThan } from './json.js';
import { maxDistinctIdCharacters } from './limits.js';

/** The event's distinct id, from the first of its possible places that contains one. */
export const eventDistinctId = (
  event: Record<string, unknown>,
  properties: Record<string, unknown>,
): Checked<string> => {
  for (const value of [event.distinct_id, event.$distinct_id, properties.distinct_id, properties.$distinct_id]) {
    const text = distinctIdText(value, 'distinct_id');
    if (!text.ok) return text;
    if (text.value !== null) return accept(text.value);
  }
  return refuse('required', 'distinct_id is missing, say whose event this is');
};

/**
 * Returns the text form of a distinct id, which may be any JSON; null and the empty string count as absent. An id that is
 * too long is rejected rather than cut, and so is an integer beyond 2^53: both would make two users one.
 */
export const distinctIdText = (value: unknown, name: string): Checked<string | null> => {
  if (value === undefined || value === null || value === '') return accept(null);
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
