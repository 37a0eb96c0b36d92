import { type Bounds, isFields } from '../../platform/fields/values.js';
import { type Schema } from '../../platform/fields/schema.js';
import { invalidInput } from '../../platform/errors/problem.js';

/** How long events are kept, in days; null: for ever. A name without an entry follows `days`. */
export interface EventExpiry {
  readonly days: number | null;
  readonly daysByName: Readonly<Record<string, number | null>>;
}

/** At most a hundred years, so that both stores can store the moment before which events expire. */
export const expiryDays: Bounds = { min: 1, max: 36_500 };
export const maxExpiryNames = 100;
/** The longest name that an event may have. */
const maxNameCharacters = 200;

export const expiryDaysSchema: Schema = { type: 'integer', minimum: expiryDays.min, maximum: expiryDays.max };

export const expiryByNameSchema: Schema = {
  type: 'object',
  maxProperties: maxExpiryNames,
  additionalProperties: { anyOf: [expiryDaysSchema, { type: 'null' }] },
};

const isDays = (value: unknown): value is number | null =>
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && value >= expiryDays.min && value <= expiryDays.max);

export const readExpiryDays = (value: unknown, attr: string): number | null => {
  if (isDays(value)) return value;
  throw invalidInput(`${attr} must be an integer from ${expiryDays.min} to ${expiryDays.max}, or null for ever`, attr);
};

/** Reads `{"$pageview": 30, "order paid": null}`. */
export const readExpiryByName = (value: unknown, attr: string): EventExpiry['daysByName'] => {
  if (!isFields(value)) throw invalidInput(`${attr} must be an object of event names and days`, attr);
  const names = Object.keys(value);
  if (names.length > maxExpiryNames)
    throw invalidInput(`${attr} must have at most ${maxExpiryNames} event names`, attr);
  for (const name of names) {
    const path = `${attr}.${name.slice(0, maxNameCharacters)}`;
    if (name.trim() === '' || name.includes('\0') || [...name].length > maxNameCharacters)
      throw invalidInput(`${attr} must have event names of 1 to ${maxNameCharacters} characters without NUL`, path);
    readExpiryDays(value[name], path);
  }
  return value as EventExpiry['daysByName'];
};
