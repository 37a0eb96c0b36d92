import { put } from '../../../platform/values/put.js';
import { cleanJson, cleanObject, cleanText, isRecord, type Json, type JsonObject } from './json.js';
import { type EventWarning, type EventWarnings, noWarnings } from './warning.js';

/** The operators `$set`, `$set_once` and `$unset` of one event. */
export interface PersonOperators {
  set: JsonObject;
  setOnce: JsonObject;
  unset: string[];
}

export const changesNone = ({ set, setOnce, unset }: PersonOperators): boolean =>
  unset.length === 0 && isEmpty(set) && isEmpty(setOnce);

export const isEmpty = (object: JsonObject): boolean => {
  for (const _ in object) return false;
  return true;
};

type Sent = Record<string, unknown>;

/**
 * Reads the operators from the event's top level and from its properties (when both name a key, the top level wins) and
 * folds the former into the latter: the event log stores only properties, and must suffice to replay every change.
 */
export const foldPersonOperators = (
  event: Sent,
  properties: JsonObject,
): { operators: PersonOperators; warnings: EventWarnings } => {
  if (!speaksOf(event) && !speaksOf(properties)) return noOperators;
  const set = fold(event, properties, '$set', objectForm);
  const setOnce = fold(event, properties, '$set_once', objectForm);
  const unset = fold(event, properties, '$unset', keysForm);
  return {
    operators: { set: set.value, setOnce: setOnce.value, unset: unset.value },
    warnings: [...set.warnings, ...setOnce.warnings, ...unset.warnings],
  };
};

/** The result for nearly every event. */
const noOperators = { operators: { set: {}, setOnce: {}, unset: [] }, warnings: noWarnings };

/** True if the event contains any of the operators, at its top level or in its properties. */
export const speaksOf = ({ $set, $set_once, $unset }: Sent): boolean => ($set ?? $set_once ?? $unset ?? null) !== null;

interface OperatorForm<T extends Json> {
  expected: string;
  read: (sent: unknown) => T | null;
  join: (parts: T[]) => T;
}

const objectForm: OperatorForm<JsonObject> = {
  expected: 'an object',
  read: (sent) => (isRecord(sent) ? cleanObject(sent) : null),
  join: (parts) => mergeObjects(...parts),
};

const keysForm: OperatorForm<string[]> = {
  expected: 'a list of keys or an object with these keys',
  read: (sent) => {
    const keys = isRecord(sent) ? Object.keys(sent) : sent;
    return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? keys.map(cleanText) : null;
  },
  join: (parts) => [...new Set(parts.flat())],
};

const fold = <T extends Json>(event: Sent, properties: JsonObject, name: string, form: OperatorForm<T>) => {
  const top = event[name] ?? null;
  const sent = [properties[name] ?? null, top].filter((value) => value !== null);
  const parts = sent.map(form.read).filter((part) => part !== null);
  const value = form.join(parts);
  if (top !== null) properties[name] = parts.length > 0 ? value : cleanJson(top);
  const warnings: EventWarning[] = [];
  if (parts.length < sent.length) {
    warnings.push({
      type: 'invalid_person_properties',
      detail: `${name} must be ${form.expected}; other values are ignored`,
    });
  }
  return { value, warnings };
};

/** Later objects win, as with a spread; but `__proto__` stays an ordinary key. */
export const mergeObjects = (...objects: JsonObject[]): JsonObject => {
  const merged: JsonObject = {};
  for (const object of objects) for (const key of Object.keys(object)) put(merged, key, object[key] as Json);
  return merged;
};
