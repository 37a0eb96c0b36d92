import { invalidInput, required } from '../../platform/errors/problem.js';
import { readJsonText } from '../../platform/values/json.js';
import { jsonEqual } from '../../kernel/identity/person-properties.js';
import { shallow } from '../../kernel/event-log/normalise/edited-properties.js';
import { cleanText } from '../../kernel/event-log/normalise/json.js';

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
