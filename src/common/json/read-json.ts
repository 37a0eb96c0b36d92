import { isUtf8 } from 'node:buffer';
import { invalidInput, parseError, type Problem } from '../errors/problem.js';
import { exceededLimit, type JsonLimits } from './json-size.js';

/** Of JSON text in parameters, and of bodies whose route names no others. */
export const jsonLimits: JsonLimits = { depth: 100, nodes: 100_000, keys: 20_000 };

const byteOrderMark = '\ufeff';
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneSurrogate = /\p{Surrogate}/u;
const maxKeyInPath = 100;

/** The JSON body of a request. */
export const readJsonBody = (json: Buffer, limits: JsonLimits = jsonLimits): unknown => {
  if (!isUtf8(json)) throw parseError('The body is not valid UTF-8');
  const text = json.toString('utf8');
  return read(json, text.startsWith(byteOrderMark) ? text.slice(1) : text, {
    limits,
    name: null,
    invalid: () => parseError('The body is not valid JSON'),
  });
};

/** JSON text that stands in the parameter or form field `name`. */
export const readJsonText = (
  text: string,
  name: string,
  invalid: () => Problem = () => invalidInput(`${name} is not valid JSON`, name),
): unknown => read(Buffer.from(text), text, { limits: jsonLimits, name, invalid });

interface Reading {
  readonly limits: JsonLimits;
  /** Null for the body as a whole. */
  readonly name: string | null;
  /** What is thrown for text that is not JSON. */
  readonly invalid: () => Problem;
}

const read = (json: Buffer, text: string, { limits, name, invalid }: Reading): unknown => {
  const subject = name ?? 'The body';
  switch (exceededLimit(json, limits)) {
    case 'depth':
      throw invalidInput(`${subject} must not nest deeper than ${limits.depth} levels`, name);
    case 'nodes':
      throw invalidInput(`${subject} must not hold more than ${limits.nodes} values`, name);
    case 'keys':
      throw invalidInput(`${subject} must not hold more than ${limits.keys} keys of objects`, name);
  }
  const value = parsed(text, invalid);
  // Only an escape can stand for half a character: UTF-8 has no bytes for it.
  const path = surrogateEscape.test(text) ? pathOfLoneSurrogate(value) : null;
  if (path === null) return value;
  const attr = [...(name === null ? [] : [name]), ...path].join('.') || null;
  throw invalidInput(
    `${attr ?? subject} has half of a surrogate pair, such as \\ud800: text must be whole Unicode`,
    attr,
  );
};

const parsed = (text: string, invalid: () => Problem): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid();
  }
};

/** The path of the text, or of the object that has it as a key. It recurses, which the limit of depth allows. */
const pathOfLoneSurrogate = (value: unknown): readonly string[] | null => {
  if (typeof value === 'string') return loneSurrogate.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (loneSurrogate.test(key)) return [];
    const found = pathOfLoneSurrogate(members[key]);
    if (found) return [key.slice(0, maxKeyInPath), ...found];
  }
  return null;
};
