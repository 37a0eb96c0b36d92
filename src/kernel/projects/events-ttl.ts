import { isFields } from '../../platform/fields/fields.js';
import { type Bounds } from '../../platform/fields/values.js';
import { type Schema } from '../../platform/fields/schema.js';
import { invalidInput } from '../../platform/errors/problem.js';

/** How long events are kept, in days; null: for ever. A name without an entry follows `days`. */
export interface EventsTtl {
  readonly days: number | null;
  readonly daysByName: Readonly<Record<string, number | null>>;
}

/** A hundred years: the moment before which events expire stays one that both stores can store. */
export const ttlDays: Bounds = { min: 1, max: 36_500 };
export const maxTtlNames = 100;
/** As long as the name of an event may be. */
const maxNameCharacters = 200;

export const ttlDaysSchema: Schema = { type: 'integer', minimum: ttlDays.min, maximum: ttlDays.max };

export const ttlByNameSchema: Schema = {
  type: 'object',
  maxProperties: maxTtlNames,
  additionalProperties: { anyOf: [ttlDaysSchema, { type: 'null' }] },
};

const isDays = (value: unknown): value is number | null =>
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && value >= ttlDays.min && value <= ttlDays.max);

export const readTtlDays = (value: unknown, attr: string): number | null => {
  if (isDays(value)) return value;
  throw invalidInput(`${attr} must be an integer from ${ttlDays.min} to ${ttlDays.max}, or null for ever`, attr);
};

/** Reads `{"$pageview": 30, "order paid": null}`. */
export const readTtlByName = (value: unknown, attr: string): EventsTtl['daysByName'] => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object of event names and days`, attr);
  const names = Object.keys(value);
  if (names.length > maxTtlNames) throw invalidInput(`${attr} must have at most ${maxTtlNames} event names`, attr);
  for (const name of names) {
    const path = `${attr}.${name.slice(0, maxNameCharacters)}`;
    if (name.trim() === '' || name.includes('\0') || [...name].length > maxNameCharacters)
      throw invalidInput(`${attr} must have event names of 1 to ${maxNameCharacters} characters without NUL`, path);
    readTtlDays(value[name], path);
  }
  return value as EventsTtl['daysByName'];
};
