import { isUtf8 } from 'node:buffer';
import { exceededLimit, jsonLimits, readJsonBody, readJsonText } from '../../../../src/platform/values/json.js';
import { isJson, jsonFault } from '../../../../src/platform/values/json-syntax.js';
import { acceptedBy, acceptedLater, demand, assertEqual, type ParserTarget } from '../target.js';

const limits = { depth: 5, nodes: 40, keys: 12 };

interface Size {
  depth: number;
  nodes: number;
  keys: number;
}

/** The size of a value as it was parsed. Of a key that is repeated only the last value is left, so this is a lower bound. */
const sizeOf = (value: unknown): Size => {
  if (typeof value !== 'object' || value === null) return { depth: 0, nodes: 1, keys: 0 };
  const parts = Object.values(value).map(sizeOf);
  const sum = (field: 'nodes' | 'keys') => parts.reduce((total, part) => total + part[field], 0);
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    nodes: 1 + sum('nodes'),
    keys: sum('keys') + (Array.isArray(value) ? 0 : parts.length),
  };
};

/** The scans before JSON.parse let through only what is within the limits, and agree with it about what JSON is. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    '[[[[',
    ']]]]',
    '{"a":',
    '\\"',
    '\\\\',
    '\\u00e4',
    '\\ud800',
    '1e5',
    '-0.1',
    'true',
    'false',
    'null',
    '\xef\xbb\xbf',
  ],
  run: async (input) => {
    const text = input.toString('utf8');
    let value: unknown;
    let isValid = true;
    try {
      value = JSON.parse(text);
    } catch {
      isValid = false;
    }
    const faultOfText = await jsonFault(text);
    demand((faultOfText === null) === isValid, `JSON is what JSON.parse takes, ${String(faultOfText)}`);
    if (isUtf8(input)) demand((await isJson(input)) === isValid, 'bytes are JSON if their text is');
    if (isValid && exceededLimit(input, limits) === null) {
      const size = sizeOf(value);
      demand(size.depth <= limits.depth, 'the scan finds what is too deep');
      demand(size.nodes <= limits.nodes, 'the scan finds what has too many values');
      demand(size.keys <= limits.keys, 'the scan finds what has too many keys');
    }
    const parameter = acceptedBy(() => ({ value: readJsonText(text, 'a') }));
    if (parameter) assertEqual(parameter.value, value, 'a parameter is what it says');
    else demand(!isValid || isRefusable(text, input), 'JSON within the limits is taken');
    const body = await acceptedLater(async () => ({ value: await readJsonBody(input) }));
    if (body && isValid) assertEqual(body.value, value, 'a body is what it says');
  },
};

const isRefusable = (text: string, input: Buffer): boolean =>
  /\\ud[89a-f]/i.test(text) || exceededLimit(input, jsonLimits) !== null;

export default target;
