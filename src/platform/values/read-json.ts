import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { invalidInput, parseError, type Problem } from '../errors/problem.js';
import { jsonFault, shortJsonFault } from './json-syntax.js';
import { exceededLimit, type JsonLimits } from './json-size.js';

/** Applies to JSON text in parameters, and to bodies whose route sets no other limits. */
export const jsonLimits: JsonLimits = { depth: 100, nodes: 100_000, keys: 20_000 };

const byteOrderMark = '\ufeff';
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneSurrogate = /\p{Surrogate}/u;
const maxKeyInPath = 100;

/** Each step that reads a body larger than this takes milliseconds, so other requests are served in between. */
const largeBytes = 256 * 1024;

/** Reads the JSON body of a request. */
export const readJsonBody = async (json: Buffer, limits: JsonLimits = jsonLimits): Promise<unknown> => {
  const isLarge = json.length > largeBytes;
  if (!isUtf8(json)) throw parseError('The body is not valid UTF-8');
  refuseExceeded(json, limits, null);
  if (isLarge) await yieldToEventLoop();
  const text = json.toString('utf8');
  const value = await parsedBody(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  if (isLarge) await yieldToEventLoop();
  refuseLoneSurrogate(text, value, null);
  return value;
};

/** Reads JSON text in the parameter or form field `name`. */
export const readJsonText = (
  text: string,
  name: string,
  invalid: () => Problem = () => {
    const fault = shortJsonFault(text);
    return invalidInput(`${name} is not valid JSON${fault === null ? '' : `: ${fault}`}`, name);
  },
): unknown => {
  refuseExceeded(Buffer.from(text), jsonLimits, name);
  const value = parsed(text, invalid);
  refuseLoneSurrogate(text, value, name);
  return value;
};

/** `name` is null for the body as a whole. */
const refuseExceeded = (json: Buffer, limits: JsonLimits, name: string | null): void => {
  const subject = name ?? 'The body';
  switch (exceededLimit(json, limits)) {
    case 'depth':
      throw invalidInput(`${subject} must not nest deeper than ${limits.depth} levels`, name);
    case 'nodes':
      throw invalidInput(`${subject} must not contain more than ${limits.nodes} values`, name);
    case 'keys':
      throw invalidInput(`${subject} must not contain more than ${limits.keys} keys of objects`, name);
  }
};

const refuseLoneSurrogate = (text: string, value: unknown, name: string | null): void => {
  // Only an escape can produce half a surrogate pair: UTF-8 has no bytes for it.
  const path = surrogateEscape.test(text) ? pathOfLoneSurrogate(value) : null;
  if (path === null) return;
  const attr = [...(name === null ? [] : [name]), ...path].join('.') || null;
  throw invalidInput(
    `${attr ?? name ?? 'The body'} contains half of a surrogate pair, such as \\ud800: text must be whole Unicode`,
    attr,
  );
};

const parsedBody = async (text: string): Promise<unknown> => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const fault = await jsonFault(text);
    throw parseError(`The body is not valid JSON${fault === null ? '' : `: ${fault}`}`);
  }
};

const parsed = (text: string, invalid: () => Problem): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid();
  }
};

/**
 * The path of the text, or of the object that has it as a key. The function recurses, which the limit of depth allows.
 */
const pathOfLoneSurrogate = (value: unknown): readonly string[] | null => {
  if (typeof value === 'string') return loneSurrogate.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members)) {
    if (loneSurrogate.test(key)) return [];
    const inner = pathOfLoneSurrogate(members[key]);
    if (inner) return [key.slice(0, maxKeyInPath), ...inner];
  }
  return null;
};
