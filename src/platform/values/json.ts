import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Problem, invalidInput, parseError } from '../errors/problem.js';
import { jsonFault, shortJsonFault } from './json-syntax.js';

/** Sets a key of an object, also `__proto__`: a plain assignment would set the prototype and lose the key of the sender. */
export const put = <T>(target: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
};

/**
 * The JSON text of a list or an object, with sorted keys, because equal values that differ only in the order of keys must have
 * one text.
 */
export const jsonText = (value: object): string => JSON.stringify(inOrder(value));

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const ordered: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value).sort(byKey)) put(ordered, key, inOrder(inner));
  return ordered;
};

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

export interface JsonLimits {
  /** Levels of objects and lists; the outermost is the first. */
  readonly depth: number;
  /** Values of any kind: members of objects, elements of lists, and the objects and lists themselves. */
  readonly nodes: number;
  /** Keys of objects. One key costs as much as ten elements of a list. */
  readonly keys?: number;
}

/**
 * Finds the limit that a JSON text exceeds, in one pass over its bytes and before it is parsed: JSON.parse, and any walk of its
 * result, takes seconds for some megabytes of brackets, and overflows the stack if they are nested.
 */
export const exceededLimit = (json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null => {
  let depth = 0;
  let nodes = 1;
  let keys = 0;
  const { keys: mostKeys = Infinity } = limits;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at);
        break;
      case openingBracket:
      case openingBrace:
        depth += 1;
        nodes += 1;
        if (depth > limits.depth) return 'depth';
        if (nodes > limits.nodes) return 'nodes';
        break;
      case closingBracket:
      case closingBrace:
        depth -= 1;
        break;
      case comma:
        nodes += 1;
        if (nodes > limits.nodes) return 'nodes';
        break;
      case colon:
        keys += 1;
        if (keys > mostKeys) return 'keys';
    }
  }
  return null;
};

/** The position of the closing quote, or the end of a truncated text. */
const endOfString = (json: Uint8Array, openingQuote: number): number => {
  let at = openingQuote + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
};

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
 * The path of the text with half of a surrogate pair, or of the object that has such a key. The function recurses, which is safe
 * because depth is limited.
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
