import { put } from '../../../platform/values/json.js';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** With the flag u, a surrogate in the class matches only when it is unpaired. */
const unstorable = /[\0\uD800-\uDFFF]/gu;
/** Without the flag u, one look at each character is enough, and nearly every text passes. */
const suspicious = /[\0\uD800-\uDFFF]/;

/** PostgreSQL's jsonb and text can store neither NUL nor half a surrogate pair. */
export const cleanText = (text: string): string => (suspicious.test(text) ? text.replace(unstorable, '\uFFFD') : text);

/**
 * Returns the value in a form that both stores can hold. Of keys that become equal, the last value stays. A number too
 * large for a double (`1e999`) becomes text, because written back as JSON it would silently be null; integers beyond 2^53
 * have already been rounded by JSON.parse, as in every JavaScript SDK. Must not be called with values deeper than
 * `isDeeperThan` allows, because it recurses.
 */
export const cleanJson = (value: unknown): Json => {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(cleanJson);
  return isRecord(value) ? cleanObject(value) : null;
};

/** Returns the object itself when it is clean, as nearly every one is. */
export const cleanObject = (object: Record<string, unknown>): JsonObject => {
  if (isClean(object)) return object as JsonObject;
  const clean: JsonObject = {};
  for (const key of Object.keys(object)) put(clean, cleanText(key), cleanJson(object[key]));
  return clean;
};

const isClean = (value: unknown): boolean => {
  if (typeof value === 'string') return !suspicious.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || value === null;
  if (Array.isArray(value)) return value.every(isClean);
  for (const key in value) {
    if (suspicious.test(key) || !isClean((value as Record<string, unknown>)[key])) return false;
  }
  return true;
};

/** Stops at the limit, so that no input can make it recurse further. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
};

/** Counts code points, as PostgreSQL does. */
export const isLongerThan = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters);
