import { automaticProperties } from './automatic-properties.js';
import { type JsonObject } from './json.js';
import { changesNone, isEmpty, mergeObjects, type PersonOperators } from './person-operators.js';
import { type EventWarnings, noWarnings } from './warning.js';

/**
 * The changes that an event requests for its person. Each key appears under one operator only: the operators apply in the
 * order set_once, set, unset, and the later one wins.
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
