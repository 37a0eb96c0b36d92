import { type Json, type JsonObject, cleanJson, cleanObject, cleanText, isRecord } from './json.js';
import { put } from '../../../platform/values/json.js';
import { type EventWarning, type EventWarnings, noWarnings } from './checked.js';

/**
 * Properties that SDKs attach to every event and users look for on the person: the device, and the origin of the visit.
 */
const lastingKeys = [
  ['$app_build', '$app_name', '$app_namespace', '$app_version'],
  ['$browser', '$browser_version', '$device_type', '$os', '$os_name', '$os_version', '$raw_user_agent'],
  ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ['gclid', 'gad_source', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'twclid', 'li_fat_id'],
  ['mc_cid', 'igshid', 'ttclid', 'rdt_cid', 'epik', 'qclid', 'sccid', 'irclid', '_kx'],
].flat();

/** Properties of the current page and window, which differ with nearly every event. */
const momentaryKeys = [
  ['$current_url', '$host', '$pathname', '$referrer', '$referring_domain'],
  ['$screen_height', '$screen_width', '$viewport_height', '$viewport_width'],
].flat();

const initialName = (key: string): string => `$initial_${key.replace(/^\$/, '')}`;

const automaticKeys = new Map<string, { readonly initial: string; readonly isMomentary: boolean }>();
for (const key of lastingKeys) automaticKeys.set(key, { initial: initialName(key), isMomentary: false });
for (const key of momentaryKeys) automaticKeys.set(key, { initial: initialName(key), isMomentary: true });

const initialNames = new Set([...automaticKeys.values()].map(({ initial }) => initial));

/** True for properties of persons that come from the properties of any event, without an operator. */
export const isAutomaticProperty = (name: string): boolean => automaticKeys.has(name) || initialNames.has(name);

interface AutomaticProperties {
  readonly set: JsonObject;
  readonly setOnce: JsonObject;
  readonly momentary?: JsonObject;
}

/**
 * SDKs send null for every campaign parameter that the URL lacks. A null is no information, and must not become the
 * initial value.
 */
const automaticProperties = (properties: JsonObject): AutomaticProperties => {
  const set: JsonObject = {};
  const setOnce: JsonObject = {};
  let momentary: JsonObject | undefined;
  for (const key in properties) {
    const automatic = automaticKeys.get(key);
    const value = properties[key];
    if (automatic === undefined || value === undefined || value === null) continue;
    if (automatic.isMomentary) (momentary ??= {})[key] = value;
    else set[key] = value;
    setOnce[automatic.initial] = value;
  }
  return momentary ? { set, setOnce, momentary } : { set, setOnce };
};

/** The operators `$set`, `$set_once` and `$unset` of one event. */
interface PersonOperators {
  set: JsonObject;
  setOnce: JsonObject;
  unset: string[];
}

export const changesNone = ({ set, setOnce, unset }: PersonOperators): boolean =>
  unset.length === 0 && isEmpty(set) && isEmpty(setOnce);

const isEmpty = (object: JsonObject): boolean => {
  for (const _ in object) return false;
  return true;
};

type Sent = Record<string, unknown>;

/**
 * Reads the operators from the event's top level and from its properties (when both name a key, the top level wins), and stores
 * them in the properties: the event log stores nothing else, and must suffice to replay every change.
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
const mergeObjects = (...objects: JsonObject[]): JsonObject => {
  const merged: JsonObject = {};
  for (const object of objects) for (const key of Object.keys(object)) put(merged, key, object[key] as Json);
  return merged;
};

/**
 * The changes that an event requests for its person. Each key appears under one operator only: the operators apply in the order
 * set_once, set, unset, and the later operator wins.
 */
export interface PersonChanges extends PersonOperators {
  /** Written when the person lacks the key; otherwise only together with another change. */
  momentary?: JsonObject;
  /** False: the event neither creates nor changes a person. */
  process: boolean;
}

/** These events come in masses and describe a failure or a page, not the person. */
const neverChangePersons = new Set(['$exception', '$$heatmap']);

export const noChanges = (process: boolean): PersonChanges => ({ process, set: {}, setOnce: {}, unset: [] });

export const personChanges = (event: string, operators: PersonOperators, properties: JsonObject): PersonChanges => {
  if (neverChangePersons.has(event)) return noChanges(true);
  const automatic = automaticProperties(properties);
  // Without operators there is no conflict: no automatic key is also the initial form of another.
  if (changesNone(operators)) return { process: true, ...automatic, unset: [] };
  const unset = new Set(operators.unset);
  const set = without(join(automatic.set, operators.set), (key) => unset.has(key));
  const momentary = without(automatic.momentary ?? {}, (key) => unset.has(key) || Object.hasOwn(set, key));
  const setOnce = without(
    join(automatic.setOnce, operators.setOnce),
    (key) => unset.has(key) || Object.hasOwn(set, key) || Object.hasOwn(momentary, key),
  );
  const changes = { process: true, set, setOnce, unset: operators.unset };
  return isEmpty(momentary) ? changes : { ...changes, momentary };
};

const join = (automatic: JsonObject, requested: JsonObject): JsonObject =>
  isEmpty(requested) ? automatic : mergeObjects(automatic, requested);

const without = (object: JsonObject, isLeftOut: (key: string) => boolean): JsonObject => {
  for (const key of Object.keys(object)) if (isLeftOut(key)) delete object[key];
  return object;
};

const enabled = { process: true, warnings: noWarnings };
const disabled = { process: false, warnings: noWarnings };

/** Only `false` itself switches person processing off; any other odd value adds a warning and counts as true. */
export const personProcessing = (properties: JsonObject): { process: boolean; warnings: EventWarnings } => {
  const setting = properties.$process_person_profile;
  if (setting === undefined || typeof setting === 'boolean') return setting === false ? disabled : enabled;
  const detail = '$process_person_profile must be true or false, read as true';
  return { process: true, warnings: [{ type: 'invalid_process_person_profile', detail }] };
};
