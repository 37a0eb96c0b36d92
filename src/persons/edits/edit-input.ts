import { invalidInput, required } from '../../platform/errors/problem.js';
import { readJsonText } from '../../platform/values/json.js';
import { jsonEqual } from '../../kernel/identity/person-properties.js';
import { cleanText, isDeeperThan, isRecord } from '../../kernel/event-log/normalise/json.js';
import { maxEventDepth } from '../../kernel/event-log/normalise/limits.js';

/** Reads `properties` of a body: any keys and any values, no deeper than an event may be. */
export const readEditProperties = (properties: unknown): Record<string, unknown> => {
  if (properties === undefined || properties === null) throw required('properties');
  if (!isRecord(properties)) throw invalidInput('properties must be an object of keys and values', 'properties');
  return shallow(properties, 'properties');
};

/** Reads a property's key from the body or the query. */
export const readEditKey = (name: string, inBody: unknown, inQuery: unknown): string => {
  const keys = [inBody, inQuery].filter((key) => key !== undefined && key !== null && key !== '');
  if (keys.length === 0) throw required(name);
  for (const key of keys)
    if (typeof key !== 'string') throw invalidInput(`${name} must be the key of a property`, name);
  return cleanText(String(agreed(name, keys)));
};

/** Reads `value` from the body unchanged, or from the query, where valid JSON is read as JSON and everything else as text. */
export const readEditValue = (inBody: unknown, inQuery: unknown): unknown => {
  const values: unknown[] = [];
  if (inBody !== undefined) values.push(shallow(inBody, 'value'));
  if (inQuery !== undefined) values.push(shallow(jsonOrText(inQuery), 'value'));
  if (values.length === 0) throw required('value');
  return agreed('value', values);
};

const agreed = (name: string, [first, ...others]: readonly unknown[]): unknown => {
  if (others.every((other) => jsonEqual(first, other))) return first;
  throw invalidInput(`the body and the query contain different values of ${name}: send it once`, name);
};

const jsonOrText = (text: unknown): unknown => {
  if (typeof text !== 'string') throw invalidInput('the query must contain value only once', 'value');
  const notJson = invalidInput('value is not JSON', 'value');
  try {
    return readJsonText(text, 'value', () => notJson);
  } catch (error) {
    if (error === notJson) return text;
    throw error;
  }
};

const shallow = <T>(value: T, attr: string): T => {
  // The event that will contain the value takes three levels: itself, its properties, and the operator.
  if (!isDeeperThan(value, maxEventDepth - 3)) return value;
  throw invalidInput(`${attr} may nest at most ${maxEventDepth - 3} levels deep`, attr);
};
